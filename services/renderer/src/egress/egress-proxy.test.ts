import { once } from 'node:events'
import { createServer, get, request } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { createLogger } from '@platen/foundation/runtime/logger.ts'
import { until } from '@platen/test-support/until.ts'
import t, { type Test } from 'tap'
import type { EgressPolicy } from './egress-policy.ts'
import { basic, type EgressProxy, egressProxyHost, startEgressProxy } from './egress-proxy.ts'

const limits = { resources: 100, resourceBytes: 1_000, resourceTimeoutMs: 60_000 }
const log = createLogger('test', 'silent')

async function origin(t: Test) {
  const hits: string[] = []
  const server = createServer((request, response) => {
    hits.push(`${request.method} ${request.url}`)
    if (request.url === '/large') response.end('x'.repeat(2_000))
    else if (request.url === '/endless') response.write('x'.repeat(2_000))
    else if (request.url === '/challenge') response.writeHead(407, { 'proxy-authenticate': 'Basic realm="x"' }).end()
    else if (request.url === '/never') return
    else response.setHeader('x-seen', JSON.stringify(request.headers)).end('resource')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return { hits, port: (server.address() as AddressInfo).port }
}

async function startProxy(t: Test, policy: EgressPolicy, change: Partial<typeof limits> = {}): Promise<EgressProxy> {
  const opened = await startEgressProxy({ host: egressProxyHost(), policy, limits: { ...limits, ...change }, log })
  t.teardown(() => opened[Symbol.asyncDispose]())
  opened.reset()
  return opened
}

/** Fetches through the proxy as its page does, unless other credentials are given. */
async function fetchThrough(proxy: EgressProxy, url: string, method = 'GET', headers: Record<string, string> = {}) {
  const { hostname, port } = new URL(proxy.url)
  const signedIn = { 'proxy-authorization': basic(proxy.credentials), ...headers }
  const asked = request({ host: hostname, port, path: url, method, headers: signedIn, agent: false }).end()
  const [answer] = await once(asked, 'response')
  const body = await text(answer).catch(() => 'broken off')
  return { status: answer.statusCode as number, body, headers: answer.headers }
}

async function tunnelThrough(
  proxy: EgressProxy,
  authority: string,
  credentials = basic(proxy.credentials),
): Promise<{ status: string; socket: Socket }> {
  const { hostname, port } = new URL(proxy.url)
  const socket = connect(Number(port), hostname)
  const authorization = `proxy-authorization: ${credentials}`
  socket.write(`CONNECT ${authority} HTTP/1.1\r\nhost: ${authority}\r\n${authorization}\r\n\r\n`)
  const [head] = await once(socket, 'data')
  return { status: String(head).split(' ')[1] ?? '', socket }
}

t.test('public: nothing private is reached, however it is spelled', async (t) => {
  const { port, hits } = await origin(t)
  const out = await startProxy(t, 'public')
  const hosts = ['127.0.0.1', 'localhost', '0x7f.1', '2130706433', '[::ffff:127.0.0.1]', '0.0.0.0', '127.1', '10.0.0.1']
  for (const host of hosts) {
    t.match(await fetchThrough(out, `http://${host}:${port}/`), { status: 403, body: '' }, host)
    t.equal((await tunnelThrough(out, `${host}:443`)).status, '403', `tunnel to ${host}`)
  }
  t.equal((await fetchThrough(out, `${out.url}/`)).status, 403, 'not even itself')
  t.same(hits, [])
})

t.test('public: a tunnel leads to ports of TLS only', async (t) => {
  const out = await startProxy(t, 'public')
  for (const port of [22, 25, 80, 6379]) t.equal((await tunnelThrough(out, `8.8.8.8:${port}`)).status, '403', `${port}`)
})

t.test('none: every request is refused', async (t) => {
  const out = await startProxy(t, 'none')
  t.equal((await fetchThrough(out, 'http://8.8.8.8/')).status, 403)
  t.equal((await tunnelThrough(out, '8.8.8.8:443')).status, '403')
})

t.test('any: GET and HEAD pass, without hop-by-hop headers', async (t) => {
  const { port, hits } = await origin(t)
  const out = await startProxy(t, 'any')
  const secret = { connection: 'x-hop', 'x-hop': '1', 'x-end': '2' }
  const answer = await fetchThrough(out, `http://127.0.0.1:${port}/a?b=c`, 'GET', secret)
  t.match(answer, { status: 200, body: 'resource' })
  const seen = JSON.parse(String(answer.headers['x-seen']))
  t.match(seen, { 'x-end': '2', host: /^127/ })
  t.notOk('proxy-authorization' in seen || 'x-hop' in seen)
  t.match(await fetchThrough(out, `http://localhost:${port}/head`, 'HEAD'), { status: 200, body: '' })
  for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
    t.equal((await fetchThrough(out, `http://127.0.0.1:${port}/`, method)).status, 405, method)
  }
  t.same(hits, ['GET /a?b=c', 'HEAD /head'])
})

t.test('a request that is not a proxy request is refused', async (t) => {
  const out = await startProxy(t, 'any')
  for (const url of ['/', 'https://127.0.0.1/', 'ftp://127.0.0.1/', 'file:///etc/passwd', 'http://a:b@127.0.0.1/']) {
    t.match(await fetchThrough(out, url), { status: url.includes('@') ? 403 : 400 }, url)
  }
  for (const authority of ['127.0.0.1', 'user@127.0.0.1:443', '/:443']) {
    t.equal((await tunnelThrough(out, authority)).status, '400', authority)
  }
})

t.test('limits: bytes, time, number', async (t) => {
  const { port } = await origin(t)
  const at = `http://127.0.0.1:${port}`
  const out = await startProxy(t, 'any')
  t.match(await fetchThrough(out, `${at}/large`), { status: 502, body: '' })
  const endless = fetchThrough(out, `${at}/endless`)
  const cut = await endless.catch(() => ({ body: 'broken off' }))
  t.equal(cut.body, 'broken off')
  const hasty = await startProxy(t, 'any', { resourceTimeoutMs: 300 })
  t.match(await fetchThrough(hasty, `${at}/never`), { status: 502, body: '' })
  const counting = await startProxy(t, 'any', { resources: 2 })
  const statuses: number[] = []
  for (const path of ['/1', '/2', '/3']) statuses.push((await fetchThrough(counting, at + path)).status)
  t.same(statuses, [200, 200, 403])
})

t.test('any: a tunnel carries bytes both ways, until it is silent', async (t) => {
  const { port, hits } = await origin(t)
  const { status, socket } = await tunnelThrough(
    await startProxy(t, 'any', { resourceTimeoutMs: 2_000 }),
    `127.0.0.1:${port}`,
  )
  t.equal(status, '200')
  socket.write('GET /through HTTP/1.1\r\nhost: x\r\n\r\n')
  const [answer] = await once(socket, 'data')
  t.match(String(answer), /^HTTP\/1.1 200/)
  t.same(hits, ['GET /through'])
  socket.resume()
  await once(socket, 'close')
})

t.test('block() ends running fetches and refuses all further requests', async (t) => {
  const { port } = await origin(t)
  const out = await startProxy(t, 'any')
  const waiting = fetchThrough(out, `http://127.0.0.1:${port}/never`)
  const { socket } = await tunnelThrough(out, `127.0.0.1:${port}`)
  out.block()
  t.equal((await waiting).status, 502)
  await once(socket.resume(), 'close')
  t.equal((await fetchThrough(out, `http://127.0.0.1:${port}/`)).status, 403)
})

t.test('a closed proxy no longer listens', async (t) => {
  const out = await startProxy(t, 'any')
  await out[Symbol.asyncDispose]()
  const [err] = await once(get(out.url), 'error')
  t.match(err, { code: 'ECONNREFUSED' })
})

t.test('before a document begins, its origin serves only the empty page', async (t) => {
  const { port, hits } = await origin(t)
  const out = await startEgressProxy({ host: egressProxyHost(), policy: 'any', limits, log })
  t.teardown(() => out[Symbol.asyncDispose]())
  const url = out.newOrigin()
  t.match(url, /^http:\/\/[0-9a-f]{48}-platen\.localhost\/$/)
  t.match(await fetchThrough(out, url), { status: 200, body: '', headers: { 'referrer-policy': 'no-referrer' } })
  t.equal((await fetchThrough(out, `${url}a.css`)).status, 404)
  t.equal((await fetchThrough(out, `http://127.0.0.1:${port}/`)).status, 404)
  t.equal((await tunnelThrough(out, `127.0.0.1:${port}`)).status, '403')
  t.strictSame(hits, [])
  t.not(out.newOrigin(), url, 'no origin is used twice')
})

t.test('a relative URL without a base URL is refused by name', async (t) => {
  const out = await startProxy(t, 'any')
  const url = `${out.origin.documentUrl}style.css?v=1`
  t.equal((await fetchThrough(out, url)).status, 404)
  t.equal(out.refusalReason(url), 'a relative URL: set options.base_url or <base href>')
  t.equal(out.origin.authorUrl(url), 'style.css?v=1')
})

t.test('relative URLs are fetched from the host of the base URL, as if the document were on it', async (t) => {
  const { port, hits } = await origin(t)
  const out = await startProxy(t, 'any')
  out.reset({ baseUrl: new URL(`http://127.0.0.1:${port}/letters/a.html`) })
  const { host } = new URL(out.origin.documentUrl)
  t.equal(out.origin.documentUrl, `http://${host}/letters/a.html`)
  const headers = { origin: `http://${host}`, referer: out.origin.documentUrl, cookie: 'a=b' }
  const { status, headers: answered } = await fetchThrough(out, `http://${host}/letters/b.css`, 'GET', headers)
  t.equal(status, 200)
  const seen = JSON.parse(String(answered['x-seen']))
  t.match(seen, { host: `127.0.0.1:${port}` })
  t.notOk('origin' in seen || 'referer' in seen || 'cookie' in seen)
  t.strictSame(hits, ['GET /letters/b.css'])
  t.equal(out.origin.authorUrl(`http://${host}/letters/b.css`), `http://127.0.0.1:${port}/letters/b.css`)
})

t.test('the base URL is held to the policy like any other', async (t) => {
  const { port, hits } = await origin(t)
  for (const policy of ['public', 'none'] as const) {
    const out = await startProxy(t, policy)
    out.reset({ baseUrl: new URL(`http://127.0.0.1:${port}/`) })
    t.equal((await fetchThrough(out, `${out.origin.documentUrl}a.css`)).status, 403, policy)
  }
  const out = await startProxy(t, 'public')
  out.reset({ baseUrl: new URL('http://93.184.215.14:25/') })
  t.equal((await fetchThrough(out, `${out.origin.documentUrl}a.css`)).status, 403)
  t.match(out.refusalReason(`${out.origin.documentUrl}a.css`), /no connection to port 25/)
  t.strictSame(hits, [])
})

t.test('no document reaches the origin of another, and none has a service worker', async (t) => {
  const out = await startProxy(t, 'any')
  out.reset({ baseUrl: new URL('http://127.0.0.1:1/') })
  t.equal((await fetchThrough(out, 'http://0123456789abcdef-platen.localhost/')).status, 403)
  t.equal((await tunnelThrough(out, '0123456789abcdef-platen.localhost:443')).status, '403')
  const worker = await fetchThrough(out, `${out.origin.documentUrl}sw.js`, 'GET', { 'service-worker': 'script' })
  t.equal(worker.status, 403)
})

t.test('without the credentials of its page a proxy answers nothing and records nothing', async (t) => {
  const { port, hits } = await origin(t)
  const out = await startProxy(t, 'any')
  const others = [
    '',
    'Basic',
    `Basic ${btoa('page:')}`,
    basic((await startProxy(t, 'any')).credentials),
    basic(out.credentials).slice(0, -1),
    basic(out.credentials).replace('Basic', 'Bearer'),
  ]
  for (const authorization of others) {
    for (const url of [`http://127.0.0.1:${port}/`, out.origin.documentUrl, 'http://127.0.0.1:1/', '/']) {
      const { status, headers } = await fetchThrough(out, url, 'GET', { 'proxy-authorization': authorization })
      t.equal(status, 407, `${authorization} ${url}`)
      t.match(headers['proxy-authenticate'], /^Basic realm=/)
    }
    const { status, socket } = await tunnelThrough(out, `127.0.0.1:${port}`, authorization)
    t.equal(status, '407')
    await once(socket.resume(), 'close')
  }
  t.strictSame(hits, [])
  t.strictSame([...out.refused()], [], 'they cause no warning in the document')
  out.newOrigin()
  const unknown = { 'proxy-authorization': '' }
  t.equal((await fetchThrough(out, out.origin.documentUrl, 'GET', unknown)).status, 407, 'nor its empty page')
})

t.test('a server cannot make the page forget its credentials', async (t) => {
  const { port } = await origin(t)
  const out = await startProxy(t, 'any')
  const url = `http://127.0.0.1:${port}/challenge`
  const { status, headers } = await fetchThrough(out, url)
  t.match({ status, challenge: headers['proxy-authenticate'] }, { status: 502, challenge: undefined })
  t.equal(out.refusalReason(url), 'its server answered with 407')
})

t.test('a refusal is reported for its own document only', async (t) => {
  const { hits, port } = await origin(t)
  const out = await startProxy(t, 'any')
  const waiting = fetchThrough(out, `http://127.0.0.1:${port}/never`)
  await until(() => hits.includes('GET /never') || undefined, 'it is not fetched')
  out.reset()
  t.equal((await waiting).status, 502)
  t.strictSame([...out.refused()], [])
})
