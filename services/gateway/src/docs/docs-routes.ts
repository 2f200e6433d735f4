import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { BuiltFiles } from '../http/built-files/built-files.ts'
import { encoded, sendBuiltFile } from '../http/built-files/send-built-file.ts'
import { notFound } from '../http/errors/error-response.ts'
import { pagePolicy } from '../http/headers/response-headers.ts'
import { openResource } from '../http/resource.ts'

const notBuiltStyle = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { max-width: 40rem; margin: 4rem auto; padding: 0 1rem }
code { font: 0.875rem/1.5 ui-monospace, monospace }
`

/** The page that is shown until the site is built. It reloads by itself. */
const notBuilt = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="refresh" content="5">
<title>Platen documentation</title>
<style>${notBuiltStyle}</style>
<main>
<h1>The documentation is not built yet</h1>
<p>After its first start, <code>npm start</code> builds it in the background, which takes about a minute. This page then shows it.
If that fails, the log says why. <code>npm run docs</code> builds it for services that run as separate processes.</p>
<p>The <a href="/docs/api">API reference</a> and the <a href="/docs/events">events</a> are there at once.</p>
</main>
</html>
`

export interface DocsRoutesOptions {
  /** Folder of the built site. Default: the one that images and `npm run docs` use. */
  folder?: string | undefined
}

const defaultFolder = join(import.meta.dirname, '../../../../out/site')

const hashOfStyle = createHash('sha256').update(notBuiltStyle).digest('base64')
const policyOfNotBuilt = pagePolicy({ scripts: "'none'", styles: `'sha256-${hashOfStyle}'` })

/** The site of the documentation at `/docs/`. It needs no API key. */
export const docsRoutes = openResource<DocsRoutesOptions>('docs', async (app, { folder = defaultFolder }) => {
  const site = new BuiltFiles(folder)
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
        .send(await encoded(page, request, reply))
    }
    return sendBuiltFile(file, request, reply)
  }
  app.get('/docs', { schema: { hide: true } }, open)
  // The files are compressed already.
  app.get('/docs/*', { schema: { hide: true }, compress: false }, open)
})
