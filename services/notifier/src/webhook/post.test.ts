import http, { type RequestListener } from 'node:http'
import net, { type AddressInfo, type Server, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { type Post, postOnce } from './post.ts'

const notAllowed = 'the URL leads to no public address'

async function listen(t: Test, server: Server): Promise<number> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => sockets.add(socket))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  return (server.address() as AddressInfo).port
}
const receiver = (t: Test, listener: RequestListener) => listen(t, http.createServer(listener))
const post = (url: string, options: Partial<Post> = {}) =>
  postOnce({ url, headers: {}, body: '{"a":"ä"}', allowPrivate: true, timeoutMs: 5_000, ...options })

t.test('posts the body and says what the receiver answered', async (t) => {
  const port = await receiver(t, async (request, response) => {
    const body = await text(request)
    const { method, url, headers } = request
    t.match({ method, url, body, headers }, { method: 'POST', url: '/hook?a=1', body: '{"a":"ä"}' })
    t.equal(headers['x-sent'], 'yes')
    t.equal(headers['content-length'], '10')
    response.writeHead(503, { 'retry-after': '7' }).end('later')
  })
  const outcome = await post(`http://127.0.0.1:${port}/hook?a=1`, { headers: { 'x-sent': 'yes' } })
  t.match(outcome, { status: 503, retryAfter: '7', duration_ms: Number })
})

t.test('a name is connected at the address that was checked', async (t) => {
  const port = await receiver(t, (request, response) => response.writeHead(204, { host: request.headers.host }).end())
  t.match(await post(`http://localhost:${port}/`), { status: 204 })
})

t.test('a redirect is an answer', async (t) => {
  let requests = 0
  const port = await receiver(t, (_, response) => {
    requests++
    response.writeHead(302, { location: '/elsewhere' }).end()
  })
  t.match(await post(`http://127.0.0.1:${port}/`), { status: 302 })
  t.equal(requests, 1)
})

t.test('private addresses, however they are written, and unknown names fail with one text', async (t) => {
  const port = await receiver(t, () => t.fail('was asked'))
  for (const host of ['127.0.0.1', 'localhost', '[::1]', '0x7f.1', '[::ffff:127.0.0.1]', 'no-such-name.invalid']) {
    t.match(await post(`http://${host}:${port}/`, { allowPrivate: false }), { error: notAllowed }, host)
  }
  t.match(await post('ftp://127.0.0.1/'), { error: notAllowed })
  t.match(await post(`http://me:secret@127.0.0.1:${port}/`), { error: notAllowed })
})

t.test('a huge answer is cut', async (t) => {
  const gone = Promise.withResolvers<number>()
  const port = await receiver(t, (_, response) => {
    const chunk = Buffer.alloc(64 * 1024)
    let sent = 0
    const send = () => {
      do sent += chunk.length
      while (sent < 2 ** 30 && response.write(chunk))
    }
    response.on('drain', send).on('close', () => gone.resolve(sent))
    send()
  })
  t.match(await post(`http://127.0.0.1:${port}/`), { status: 200 })
  t.ok((await gone.promise) < 2 ** 26, 'the receiver was cut off early')
})

t.test('a receiver that says nothing, or drips its headers, runs out of time', async (t) => {
  const silent = await receiver(t, () => {})
  t.match(await post(`http://127.0.0.1:${silent}/`, { timeoutMs: 200 }), { error: 'no answer in time' })
  const dripping = await listen(
    t,
    net.createServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n')
      const drip = setInterval(() => socket.write('x-more: 1\r\n'), 20)
      socket.on('close', () => clearInterval(drip)).on('error', () => {})
    }),
  )
  t.match(await post(`http://127.0.0.1:${dripping}/`, { timeoutMs: 200 }), { error: 'no answer in time' })
})

t.test('a body that drips is left, its status stands', async (t) => {
  const port = await receiver(t, (_, response) => {
    response.writeHead(200)
    const drip = setInterval(() => response.write('.'), 20)
    response.on('close', () => clearInterval(drip))
  })
  t.match(await post(`http://127.0.0.1:${port}/`, { timeoutMs: 200 }), { status: 200 })
})

t.test('a connection that is refused, cut or speaks something else', async (t) => {
  const { port: free } = await new Promise<AddressInfo>((resolve) => {
    const server = net.createServer().listen(0, '127.0.0.1', () => {
      const address = server.address() as AddressInfo
      server.close(() => resolve(address))
    })
  })
  t.match(await post(`http://127.0.0.1:${free}/`), { error: 'the connection was refused' })
  const cutting = await receiver(t, (request) => request.socket.destroy())
  t.match(await post(`http://127.0.0.1:${cutting}/`), { error: 'the connection was cut' })
  const babbling = await listen(
    t,
    net.createServer((socket) => socket.on('error', () => {}).end('220 mail.example.com ESMTP\r\n')),
  )
  t.match(await post(`http://127.0.0.1:${babbling}/`), { error: 'the answer is not HTTP' })
  const upgrading = await listen(
    t,
    net.createServer((socket) =>
      socket
        .on('error', () => {})
        .write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
    ),
  )
  t.match(await post(`http://127.0.0.1:${upgrading}/`, { timeoutMs: 1_000 }), { error: String })
})

t.test('https to a receiver that speaks no TLS sends nothing', async (t) => {
  const port = await receiver(t, () => t.fail('was asked'))
  t.match(await post(`https://127.0.0.1:${port}/`), { error: String })
})
