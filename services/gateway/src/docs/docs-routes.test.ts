import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { sendRaw } from '@platen/test-support/gateway/raw-socket.ts'
import { startTestGateway } from '@platen/test-support/gateway/test-gateway.ts'
import t from 'tap'
import { compressFiles } from '../../../../site/src/compress-files.ts'
import { listFiles } from '../../../../site/src/list-files.ts'

// A small site, made as that of the documentation is. test/docs/site.test.ts has that one, in a browser.

const siteFolder = await mkdtemp(join(tmpdir(), 'platen-site-'))
t.teardown(() => rm(siteFolder, { recursive: true }))
const page = `<!doctype html>${'<p>A page of the documentation</p>'.repeat(200)}`
const files: Record<string, string | Buffer> = {
  'index.html': page,
  '404.html': page,
  'short.html': '<p>x</p>',
  'assets/app.1234.js': 'export {}\n'.repeat(500),
  'schemas/A.json': JSON.stringify({ description: 'x'.repeat(5_000) }),
  'picture.png': Buffer.alloc(5_000, 1),
}
const folder = join(siteFolder, 'built')
for (const [name, content] of Object.entries(files)) {
  await mkdir(join(folder, name, '..'), { recursive: true })
  await writeFile(join(folder, name), content)
}
const listed = await listFiles(folder)
const compressed = await compressFiles(folder, Object.keys(listed.files))
await writeFile(join(folder, 'site.json'), JSON.stringify({ ...listed, compressed }))
await symlink('built', join(siteFolder, 'current'))

const gateway = await startTestGateway({ siteFolder })
t.teardown(() => gateway[Symbol.asyncDispose]())

/** `fetch` would decode the body, and send an Accept-Encoding of its own. */
async function open(path: string, headers: Record<string, string> = {}) {
  const { promise, resolve, reject } = Promise.withResolvers<import('node:http').IncomingMessage>()
  request(new URL(path, gateway.url), { headers }, resolve).on('error', reject).end()
  const response = await promise
  return { status: response.statusCode, headers: response.headers, body: await buffer(response) }
}

t.test('texts are sent in the coding that the client prefers, with a tag and a Vary of their own', async (t) => {
  for (const [path, file] of [
    ['/docs/', 'index.html'],
    ['/docs/assets/app.1234.js', 'assets/app.1234.js'],
    ['/docs/schemas/A.json', 'schemas/A.json'],
  ] as const) {
    const content = Buffer.from(files[file] ?? '')
    const plain = await open(path)
    t.same(plain.body, content, path)
    t.match(plain.headers, { 'content-encoding': undefined, vary: /accept-encoding/i })
    const tag = plain.headers.etag?.slice(1, -1)
    const forms = [
      ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
      ['br;q=0.1, gzip', 'gzip', gunzipSync],
      ['gzip', 'gzip', gunzipSync],
      ['*', 'br', brotliDecompressSync],
    ] as const
    for (const [accepted, coding, decode] of forms) {
      const found = await open(path, { 'accept-encoding': accepted })
      t.match(
        found.headers,
        { 'content-encoding': coding, etag: `"${tag}-${coding}"`, vary: /accept-encoding/i },
        accepted,
      )
      t.equal(found.headers['content-length'], String(found.body.length))
      t.ok(found.body.length < content.length / 2)
      t.same(decode(found.body), content)
      const known = await open(path, { 'accept-encoding': accepted, 'if-none-match': found.headers.etag ?? '' })
      t.match(known, { status: 304, headers: { vary: /accept-encoding/i, etag: `"${tag}-${coding}"` } })
      t.equal(known.body.length, 0)
    }
    for (const refused of ['identity', 'br;q=0, gzip;q=0', 'zstd', 'nonsense;;q=x']) {
      const found = await open(path, { 'accept-encoding': refused })
      t.match(found.headers, { 'content-encoding': undefined, etag: `"${tag}"` }, refused)
      t.same(found.body, content)
    }
  }
})

t.test('pictures and short files are sent as they are, and compressed files have no URL', async (t) => {
  for (const path of ['/docs/picture.png', '/docs/short']) {
    const { status, headers } = await open(path, { 'accept-encoding': 'br' })
    t.match([status, headers['content-encoding']], [200, undefined], path)
  }
  for (const name of ['index.html.br', 'index.html.gz', 'site.json'])
    t.equal((await open(`/docs/${name}`)).status, 404, name)
  const missing = await open('/docs/nothing', { accept: 'text/html', 'accept-encoding': 'br' })
  t.match([missing.status, missing.headers['content-encoding']], [404, 'br'])
  t.equal(brotliDecompressSync(missing.body).toString(), page)
})

t.test('the path of a Markdown file leads to its page, so that a link of an alert may lead here', async (t) => {
  for (const [path, page] of [
    ['/docs/short.md', '/docs/short'],
    ['/docs/README.md', '/docs/'],
  ] as const) {
    const { status, headers } = await open(path)
    t.match([status, headers.location], [302, page], path)
  }
  t.equal((await open('/docs/nothing.md')).status, 404)
})

t.test('the API reference and the page of events are compressed', async (t) => {
  for (const path of ['/docs/api/static/swagger-ui-bundle.js', '/docs/api/static/swagger-ui.css', '/docs/events']) {
    const plain = await open(path)
    const found = await open(path, { 'accept-encoding': 'br' })
    t.match([found.status, found.headers['content-encoding']], [200, 'br'], path)
    t.same(brotliDecompressSync(found.body), plain.body)
  }
})

t.test('no path of an advisory of @fastify/static leads around a route, or out of the folder', async (t) => {
  const rows: [advisory: string, path: string, status: number][] = [
    ['GHSA-pr96-94w5-mx2h', '/../../package.json', 400],
    ['GHSA-83w8-p2f5-377r', '/%2e%2e/%2e%2e/%2e%2e/v1/templates', 400],
    ['GHSA-x428-ghpx-8j92', '/..%2f..%2fpackage.json', 404],
    ['GHSA-x428-ghpx-8j92', '/..%5c..%5cpackage.json', 400],
    ['GHSA-8pvw-jcv7-9cmj', '//swagger-ui.css', 400],
    ['GHSA-8pvw-jcv7-9cmj', '/./swagger-ui.css', 400],
    ['GHSA-r799-r9gc-m956', '/SWAGGER-UI.css', 404],
  ]
  for (const [advisory, path, status] of rows) {
    const answer = await sendRaw(gateway.url, `GET /docs/api/static${path} HTTP/1.1\r\nHost: x\r\n\r\n`)
    t.match(answer, { status, body: { error: { code: String } } }, `${advisory} ${path}`)
  }
})
