import { join } from 'node:path'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { BuiltFiles } from '../http/built-files/built-files.ts'
import { sendBuiltFile } from '../http/built-files/send-built-file.ts'
import { notFound } from '../http/errors/error-response.ts'
import { openResource } from '../http/resource.ts'

/**
 * The Content-Security-Policy of the studio: everything is a file of this server, and nothing is inline. Pictures of pages are
 * `blob:`. A text cannot become markup (`require-trusted-types-for`); `platen` is the policy by which the studio starts its workers.
 */
const studioPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self' data:",
  "img-src 'self' blob: data:",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types platen',
].join('; ')

export interface StudioRoutesOptions {
  /** Of the built studio. Default: where the set-up and the images have it. */
  folder?: string | undefined
}

const defaultFolder = join(import.meta.dirname, '../../../../studio/dist')

const notBuilt = `<!doctype html>
<html lang="en">
<title>Platen</title>
<h1>The studio is not built</h1>
<p><code>npm run setup -- start</code> builds it.</p>
</html>
`

/** The files of the studio. They need no API key, and have no data: the page asks the API for that. */
export const studioRoutes = openResource<StudioRoutesOptions>('studio', async (app, { folder = defaultFolder }) => {
  const files = new BuiltFiles(folder)
  const open = async (request: FastifyRequest, reply: FastifyReply) => {
    const [path = ''] = request.url.split('?')
    reply.headers({ 'content-security-policy': studioPolicy, 'referrer-policy': 'same-origin' })
    if ((await files.scripts()) === undefined) return reply.code(503).type('text/html; charset=utf-8').send(notBuilt)
    const wanted = path.slice('/studio/'.length)
    const file = files.find(wanted)
    if (file !== undefined && wanted !== '') return sendBuiltFile(file, request, reply)
    // The address of a page, which the studio shows itself.
    const page = wanted.startsWith('assets/') || wanted.startsWith('examples/') ? undefined : files.find('')
    if (page === undefined) throw notFound()
    return sendBuiltFile(page, request, reply)
  }
  app.get('/studio', { schema: { hide: true } }, open)
  // The files are compressed already. The filters of a page are in its query.
  app.get('/studio/*', { schema: { hide: true }, compress: false }, open)
})
