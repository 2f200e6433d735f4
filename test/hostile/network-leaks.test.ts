import { spawnSync } from 'node:child_process'
import { createHash, X509Certificate } from 'node:crypto'
import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { TLSSocket } from 'node:tls'
import { findChromium } from '@platen/service-kit/host/find-chromium.ts'
import t from 'tap'
import { readPdf } from '../support/read-pdf.ts'
import { openTestPrinter } from '../support/renderer/open-test-printer.ts'

// What a browser keeps of the network, such as caches and cookies, is not carried from one owner to another.
t.setTimeout(300_000)

const font = await readFile('/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf').catch(() => Buffer.alloc(0))

/** Each answer shows another number. */
const files: Record<string, (number: string) => { type: string; body: string | Buffer }> = {
  svg: (number) => ({
    type: 'image/svg+xml',
    body: `<svg xmlns="http://www.w3.org/2000/svg" width="90" height="30"><text y="20">${number}</text></svg>`,
  }),
  css: (number) => ({ type: 'text/css', body: `p::after { content: '${number}' }` }),
  html: (number) => ({ type: 'text/html', body: number }),
  js: (number) => ({ type: 'text/javascript', body: `document.body.append('${number}')` }),
  txt: (number) => ({ type: 'text/plain', body: number }),
  ttf: () => ({ type: 'font/ttf', body: font }),
}

let answers = 1_000
const requests: { path: string; carried: string[] }[] = []

function answer(request: IncomingMessage, response: ServerResponse) {
  const path = request.url ?? '/'
  const { headers } = request
  const names = ['cookie', 'authorization', 'if-none-match', 'if-modified-since'] as const
  requests.push({ path, carried: names.filter((name) => headers[name] !== undefined) })
  if (headers['if-none-match'] !== undefined) return response.writeHead(304).end()
  response.setHeader('access-control-allow-origin', headers.origin ?? '*')
  response.setHeader('access-control-allow-credentials', 'true')
  if (path.includes('/auth') && headers.authorization === undefined) {
    return response.writeHead(401, { 'www-authenticate': 'Basic realm="canary"' }).end()
  }
  if (path.includes('/moved')) {
    return response.writeHead(301, { location: '/target.svg', 'cache-control': 'max-age=9999' }).end()
  }
  const { type, body } = files[path.split('.').at(-1) ?? '']?.(`n${++answers}`) ?? { type: 'text/plain', body: '' }
  response.setHeader('content-type', type)
  response.setHeader('set-cookie', ['a=1; SameSite=None; Secure', 'b=2', 'c=3; SameSite=None; Secure; Partitioned'])
  response.setHeader('etag', '"canary"').setHeader('last-modified', 'Sat, 01 Nov 2025 00:00:00 GMT')
  response.setHeader('cache-control', path.includes('/etag') ? 'no-cache' : 'public, max-age=9999, immutable')
  response.end(body)
}

const server = createServer(answer)
server.listen(0, '127.0.0.1')
await once(server, 'listening')
t.teardown(() => {
  server.closeAllConnections()
  server.close()
})
const at = `localhost:${(server.address() as AddressInfo).port}`
const http = `http://${at}`

interface Case {
  html: string
  /** The requests of a page that carries nothing. */
  paths: string[]
}

const cases: Record<string, Case> = {
  'a cached image': { html: `<img src="${http}/a.svg">`, paths: ['/a.svg'] },
  'a cached background': { html: `<p style="background: url(${http}/b.svg)">x`, paths: ['/b.svg'] },
  'a cached style sheet': { html: `<link rel=stylesheet href="${http}/c.css"><p>x`, paths: ['/c.css'] },
  'an imported style sheet': { html: `<style>@import "${http}/d.css"</style><p>x`, paths: ['/d.css'] },
  'a cached font': {
    html: `<style>@font-face { font-family: X; src: url(${http}/e.ttf) } p { font-family: X }</style><p>x`,
    paths: ['/e.ttf'],
  },
  'a cached frame': { html: `<iframe src="${http}/f.html"></iframe>`, paths: ['/f.html'] },
  'a cached object': { html: `<object data="${http}/g.svg"></object>`, paths: ['/g.svg'] },
  'a cached script': { html: `<p>x<script src="${http}/h.js"></script>`, paths: ['/h.js'] },
  'a cached fetch': {
    html: `<p>x<script type=module>document.body.append(await (await fetch('${http}/i.txt')).text())</script>`,
    paths: ['/i.txt'],
  },
  'entity tags': { html: `<img src="${http}/etag.svg">`, paths: ['/etag.svg'] },
  'a cached redirect': { html: `<img src="${http}/moved.svg">`, paths: ['/moved.svg', '/target.svg'] },
  'a preload': { html: `<link rel=preload as=image href="${http}/j.svg"><img src="${http}/j.svg">`, paths: ['/j.svg'] },
  'cookies of CORS requests': {
    html: `<img crossorigin=use-credentials src="${http}/etag/m.svg">`,
    paths: ['/etag/m.svg'],
  },
  'a password in a URL': {
    html: `<iframe src="http://user:secret@${at}/auth/n.html"></iframe><img src="${http}/auth/o.svg">`,
    paths: ['/auth/o.svg'],
  },
  'a password of a script': {
    html: `<p>x<script>
      const request = new XMLHttpRequest()
      request.open('GET', '${http}/auth/p.txt', false, 'user', document.title || undefined)
      request.send()
    </script>`,
    paths: ['/auth/p.txt'],
  },
}

await using printer = await openTestPrinter({ egress: 'any', slots: 1 })
const print = async (html: string, owner: string) => {
  const { pdf } = await printer.printHtml(html, {}, { owner })
  return (await readPdf(pdf)).map(({ text }) => text).join()
}

for (const [name, { html, paths }] of Object.entries(cases)) {
  await t.test(`${name}: nothing is carried from one owner to another`, async (t) => {
    // A printer with one slot has two pages. Both show the document, so that no other page is left.
    await Promise.all([print(`<title>secret</title>${html}`, 'A'), print(`<title>secret</title>${html}`, 'A')])
    t.ok(requests.splice(0).length >= paths.length)
    const last = answers
    const shown = await print(html, 'B')
    const asked = requests.splice(0)
    t.strictSame(
      [...asked].sort((a, b) => a.path.localeCompare(b.path)),
      paths.map((path) => ({ path, carried: [] })),
    )
    t.ok(
      [...shown.matchAll(/n(\d{4})/g)].every(([, number]) => Number(number) > last),
      `${shown} after n${last}`,
    )
  })
}

/** A self-signed certificate, and the hash of its key that `--ignore-certificate-errors-spki-list` expects. */
function certificate(folder: string, host: string) {
  const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const form = [
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    '-days',
    '1',
    '-subj',
    '/CN=x',
  ]
  const files = ['-keyout', keyFile, '-out', certFile]
  const { status } = spawnSync('openssl', ['req', ...form, '-addext', `subjectAltName=DNS:${host}`, ...files])
  if (status !== 0) return undefined
  const [key, cert] = [readFileSync(keyFile, 'utf8'), readFileSync(certFile, 'utf8')]
  const spki = new X509Certificate(cert).publicKey.export({ type: 'spki', format: 'der' })
  return { key, cert, hash: createHash('sha256').update(spki).digest('base64') }
}

await t.test('strict transport security and the TLS sessions of one owner do not apply to another', async (t) => {
  // Chromium does not apply it to localhost.
  const host = hostname()
  const address = await lookup(host, 4).catch(() => undefined)
  const pair = address && certificate(t.testdir(), host)
  if (!pair) return t.pass('needs openssl and a name of this machine')
  const seen: string[] = []
  const secure = createSecureServer(pair, (request, response) => {
    const { socket } = request
    seen.push(`${request.url}${socket instanceof TLSSocket && socket.isSessionReused() ? ' resumed' : ''}`)
    response.setHeader('connection', 'close').setHeader('strict-transport-security', 'max-age=9999').end()
  })
  secure.on('tlsClientError', () => seen.push('not TLS'))
  secure.listen(0, address.address)
  await once(secure, 'listening')
  t.teardown(() => {
    secure.closeAllConnections()
    secure.close()
  })
  const trusting = join(t.testdirName, 'headless-shell-trusting')
  const chromium = findChromium(process.env.CHROMIUM_PATH, process.env.PATH ?? '')
  const flag = `--ignore-certificate-errors-spki-list=${pair.hash}`
  await writeFile(trusting, `#!/bin/sh\nexec '${chromium}' "$@" '${flag}'\n`, { mode: 0o755 })
  await using printer = await openTestPrinter({ egress: 'any', slots: 1, executablePath: trusting })
  const { port } = secure.address() as AddressInfo
  const print = (url: string, owner: string) => printer.printHtml(`<img src="${url}">`, {}, { owner })
  await Promise.all([print(`https://${host}:${port}/a`, 'A'), print(`https://${host}:${port}/a`, 'A')])
  t.strictSame(seen.splice(0), ['/a', '/a'])
  await print(`http://${host}:${port}/b`, 'B')
  t.strictSame(seen.splice(0), ['not TLS'])
  await print(`https://${host}:${port}/c`, 'B')
  t.strictSame(seen.splice(0), ['/c'])
  // Within a document both apply.
  const later = `fetch('http://${host}:${port}/e', { mode: 'no-cors' })`
  const html = `<p>x<script type=module>await fetch('https://${host}:${port}/d', { mode: 'no-cors' }); await ${later}</script>`
  await printer.printHtml(html, {}, { owner: 'B' })
  t.strictSame(seen, ['/d', '/e resumed'])
})
