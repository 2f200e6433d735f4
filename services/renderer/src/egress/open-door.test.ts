import { once } from 'node:events'
import { createServer, get, request } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { createLogger } from '@platen/shared/runtime/logger.ts'
import t, { type Test } from 'tap'
import type { EgressPolicy } from './egress-policy.ts'
import { type Door, doorHost, openDoor } from './open-door.ts'

const limits = { resources: 100, resourceBytes: 1_000, resourceTimeoutMs: 300 }
const log = createLogger('test', 'silent')

async function origin(t: Test) {
  const hits: string[] = []
  const server = createServer((request, response) => {
    hits.push(`${request.method} ${request.url}`)
    if (request.url === '/large') response.end('x'.repeat(2_000))
    else if (request.url === '/endless') response.write('x'.repeat(2_000))
    else if (request.url === '/late') setTimeout(() => response.end('late'), 5_000).unref()
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

async function door(t: Test, policy: EgressPolicy, change: Partial<typeof limits> = {}): Promise<Door> {
  const opened = await openDoor({ host: doorHost(), policy, limits: { ...limits, ...change }, log })
  t.teardown(() => opened[Symbol.asyncDispose]())
  return opened
}

async function fetchThrough(door: Door, url: string, method = 'GET', headers: Record<string, string> = {}) {
  const { hostname, port } = new URL(door.url)
  const asked = request({ host: hostname, port, path: url, method, headers, agent: false }).end()
  const [answer] = await once(asked, 'response')
  const body = await text(answer).catch(() => 'broken off')
  return { status: answer.statusCode as number, body, headers: answer.headers }
}

async function tunnelThrough(door: Door, authority: string): Promise<{ status: string; socket: Socket }> {
  const { hostname, port } = new URL(door.url)
  const socket = connect(Number(port), hostname)
  socket.write(`CONNECT ${authority} HTTP/1.1\r\nhost: ${authority}\r\n\r\n`)
  const [head] = await once(socket, 'data')
  return { status: String(head).split(' ')[1] ?? '', socket }
}

t.test('public: nothing private is reached, however it is spelled', async (t) => {
  const { port, hits } = await origin(t)
  const out = await door(t, 'public')
  const hosts = ['127.0.0.1', 'localhost', '0x7f.1', '2130706433', '[::ffff:127.0.0.1]', '0.0.0.0', '127.1', '10.0.0.1']
  for (const host of hosts) {
    t.match(await fetchThrough(out, `http://${host}:${port}/`), { status: 403, body: '' }, host)
    t.equal((await tunnelThrough(out, `${host}:443`)).status, '403', `tunnel to ${host}`)
  }
  t.equal((await fetchThrough(out, `${out.url}/`)).status, 403, 'not even itself')
  t.same(hits, [])
})

t.test('public: a tunnel leads to ports of TLS only', async (t) => {
  const out = await door(t, 'public')
  for (const port of [22, 25, 80, 6379]) t.equal((await tunnelThrough(out, `8.8.8.8:${port}`)).status, '403', `${port}`)
})

t.test('none: nothing at all', async (t) => {
  const out = await door(t, 'none')
  t.equal((await fetchThrough(out, 'http://8.8.8.8/')).status, 403)
  t.equal((await tunnelThrough(out, '8.8.8.8:443')).status, '403')
})

t.test('any: GET and HEAD pass, without what belongs to the connection', async (t) => {
  const { port, hits } = await origin(t)
  const out = await door(t, 'any')
  const secret = { 'proxy-authorization': 'Basic c2VjcmV0', connection: 'x-hop', 'x-hop': '1', 'x-end': '2' }
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

t.test('what is no proxy request is refused', async (t) => {
  const out = await door(t, 'any')
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
  const out = await door(t, 'any')
  t.match(await fetchThrough(out, `${at}/large`), { status: 502, body: '' })
  const endless = fetchThrough(out, `${at}/endless`)
  const cut = await endless.catch(() => ({ body: 'broken off' }))
  t.equal(cut.body, 'broken off')
  t.match(await fetchThrough(out, `${at}/late`), { status: 502, body: '' })
  const counting = await door(t, 'any', { resources: 2 })
  const statuses: number[] = []
  for (const path of ['/1', '/2', '/3']) statuses.push((await fetchThrough(counting, at + path)).status)
  t.same(statuses, [200, 200, 403])
})

t.test('any: a tunnel carries bytes both ways, until it is silent', async (t) => {
  const { port, hits } = await origin(t)
  const { status, socket } = await tunnelThrough(await door(t, 'any'), `127.0.0.1:${port}`)
  t.equal(status, '200')
  socket.write('GET /through HTTP/1.1\r\nhost: x\r\n\r\n')
  const [answer] = await once(socket, 'data')
  t.match(String(answer), /^HTTP\/1.1 200/)
  t.same(hits, ['GET /through'])
  socket.resume()
  await once(socket, 'close')
})

t.test('shut: what is under way ends, the rest is refused', async (t) => {
  const { port } = await origin(t)
  const out = await door(t, 'any', { resourceTimeoutMs: 60_000 })
  const waiting = fetchThrough(out, `http://127.0.0.1:${port}/late`)
  const { socket } = await tunnelThrough(out, `127.0.0.1:${port}`)
  out.shut()
  t.equal((await waiting).status, 502)
  await once(socket.resume(), 'close')
  t.equal((await fetchThrough(out, `http://127.0.0.1:${port}/`)).status, 403)
})

t.test('a closed door is gone', async (t) => {
  const out = await door(t, 'any')
  await out[Symbol.asyncDispose]()
  const [err] = await once(get(out.url), 'error')
  t.match(err, { code: 'ECONNREFUSED' })
})
