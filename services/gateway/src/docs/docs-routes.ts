import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { negotiate } from '@fastify/accept-negotiator'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { notFound } from '../http/errors/error-response.ts'
import { encodedTag, entityTag, isNoneMatch } from '../http/headers/entity-tags.ts'
import { addVary, pagePolicy } from '../http/headers/response-headers.ts'
import { openResource } from '../http/resource.ts'
import { notBuilt, notBuiltStyle } from './not-built.ts'
import { type Coding, Site, type SiteFile } from './site.ts'

export interface DocsRoutesOptions {
  /** Folder of the built site. Default: the one that images and `npm run docs` use. */
  folder?: string | undefined
}

const defaultFolder = join(import.meta.dirname, '../../../../out/site')

const hashOfStyle = createHash('sha256').update(notBuiltStyle).digest('base64')
const policyOfNotBuilt = pagePolicy({ scripts: "'none'", styles: `'sha256-${hashOfStyle}'` })

/** The site of the documentation at `/docs/`. It needs no API key. */
export const docsRoutes = openResource<DocsRoutesOptions>('docs', async (app, { folder = defaultFolder }) => {
  const site = new Site(folder)
  const open = async (request: FastifyRequest, reply: FastifyReply) => {
    const [path = ''] = request.url.split('?')
    // The links of the first page are relative to this URL.
    if (path === '/docs') return reply.redirect('/docs/')
    const scripts = await site.scripts()
    if (scripts === undefined) {
      reply.header('content-security-policy', policyOfNotBuilt).type('text/html; charset=utf-8')
      return reply.send(notBuilt)
    }
    const policy = pagePolicy({ scripts: ["'self'", ...scripts].join(' '), styles: "'self'" })
    reply.header('content-security-policy', policy)
    const wanted = decodeURIComponent(path.slice('/docs/'.length))
    // The links of alerts lead to files of docs/, as on a code host.
    const pagePath = wanted.replace(/(^|\/)README\.md$|\.md$/, '$1')
    if (pagePath !== wanted && site.find(pagePath)) return reply.redirect(`/docs/${encodeURI(pagePath)}`)
    const file = site.find(wanted)
    if (file === undefined) {
      const page = request.headers.accept?.includes('text/html') ? site.find('404') : undefined
      if (page === undefined) throw notFound()
      return reply
        .code(404)
        .type(page.type)
        .send(await encode(page, request, reply))
    }
    reply.headers({
      etag: entityTag(file.tag),
      'cache-control': file.isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache',
    })
    if (isNoneMatch(request.headers['if-none-match'], file.tag)) {
      const coding = codingOf(file, request, reply)
      // A 304 has the tag of the variant that the client has stored (RFC 9110, section 15.4.5).
      if (coding !== undefined) reply.header('etag', encodedTag(entityTag(file.tag), coding))
      return reply.code(304).send()
    }
    return reply.type(file.type).send(await encode(file, request, reply))
  }
  app.get('/docs', { schema: { hide: true } }, open)
  // The files are compressed already.
  app.get('/docs/*', { schema: { hide: true }, compress: false }, open)
})

/** The content in the coding that the client prefers. The compression plugin sends it as it is, and changes the entity tag. */
function encode(file: SiteFile, request: FastifyRequest, reply: FastifyReply): Promise<Buffer> {
  const coding = codingOf(file, request, reply)
  if (coding !== undefined) reply.header('content-encoding', coding)
  return file.content(coding)
}

function codingOf(file: SiteFile, request: FastifyRequest, reply: FastifyReply): Coding | undefined {
  if (!file.isCompressed) return undefined
  addVary(reply, 'accept-encoding')
  return negotiate<Coding>(request.headers['accept-encoding'] ?? '', ['br', 'gzip']) ?? undefined
}
