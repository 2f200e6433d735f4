import http, { type RequestListener } from 'node:http'
import net, { type AddressInfo, type Server, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { type Post, postOnce } from './post.ts'

const notPublic = 'the host is unknown or not public'

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

t.test('the body is sent, and the outcome is the status and Retry-After', async (t) => {
  const port = await receiver(t, async (request, response) => {
    const body = await text(request)
    const { method, url, headers } = request
    t.match({ method, url, body, headers }, { method: 'POST', url: '/hook?a=1', body: '{"a":"ä"}' })
    t.equal(headers['x-sent'], 'yes')
    t.equal(headers['content-length'], '10')
    response.writeHead(503, { 'retry-after': '7' }).end('later')
  })
  const outcome = await post(`http://127.0.0.1:${port}/hook?a=1`, { headers: { 'x-sent': 'yes' } })
  t.match(outcome, { status: 503, retryAfter: '7', response: 'later', duration_ms: Number })
})

t.test('a body is read while it is sent', async (t) => {
  const port = await receiver(t, async (request, response) => {
    t.equal(request.headers['content-length'], '10')
    response.end(await text(request))
  })
  const content = Readable.from([Buffer.from('01234'), Buffer.from('56789')])
  t.match(await post(`http://127.0.0.1:${port}/`, { body: { size: 10, content } }), {
    status: 200,
    response: '0123456789',
  })
  const unused = Readable.from([Buffer.from('0')])
  await post(`http://127.0.0.1:${port}/`, { body: { size: 1, content: unused }, allowPrivate: false })
  t.ok(unused.destroyed, 'it is closed though it was not sent')
})

t.test('a body that breaks off, or is silent until the timeout, is no outcome of the receiver', async (t) => {
  const arrived = Promise.withResolvers<void>()
  const received = Promise.withResolvers<unknown>()
  const port = await receiver(t, (request) => {
    arrived.resolve()
    text(request).then(received.resolve, received.reject)
  })
  const url = `http://127.0.0.1:${port}/`
  const content = Readable.from(
    (async function* () {
      yield Buffer.from('01234')
      await arrived.promise
      throw new Error('the object store is away')
    })(),
  )
  const unread = { name: 'BodyUnavailable' }
  await t.rejects(post(url, { body: { size: 10, content } }), unread)
  await t.rejects(received.promise, 'the receiver sees that the request is not complete')
  const broken = new Readable({ read() {} }).on('error', () => {})
  broken.destroy(new Error('the object store is away'))
  await t.rejects(post(url, { body: { size: 10, content: broken } }), unread)
  const silent = new Readable({ read() {} })
  silent.push('01234')
  await t.rejects(post(url, { body: { size: 10, content: silent }, timeoutMs: 300 }), unread)
  t.ok(silent.destroyed, 'it is closed')
})

t.test('a receiver that does not read a body times out', async (t) => {
  const port = await listen(
    t,
    net.createServer((socket) => socket.pause()),
  )
  const endless = new Readable({
    read() {
      this.push(Buffer.alloc(65_536))
    },
  })
  const body = { size: 2 ** 40, content: endless }
  const outcome = await post(`http://127.0.0.1:${port}/`, { body, timeoutMs: 1_000 })
  t.match(outcome, { error: 'no response within 1 s' })
})

t.test('the connection goes to the address that was checked', async (t) => {
  const port = await receiver(t, (request, response) => response.writeHead(204, { host: request.headers.host }).end())
  t.match(await post(`http://localhost:${port}/`), { status: 204 })
})

t.test('a redirect is not followed', async (t) => {
  let requests = 0
  const port = await receiver(t, (_, response) => {
    requests++
    response.writeHead(302, { location: '/elsewhere' }).end()
  })
  t.match(await post(`http://127.0.0.1:${port}/`), { status: 302 })
  t.equal(requests, 1)
})

t.test('private addresses in any notation and unknown names give the same error', async (t) => {
  const port = await receiver(t, () => t.fail('a request was received'))
  for (const host of ['127.0.0.1', 'localhost', '[::1]', '0x7f.1', '[::ffff:127.0.0.1]', 'no-such-name.invalid']) {
    t.match(await post(`http://${host}:${port}/`, { allowPrivate: false }), { error: notPublic }, host)
  }
  t.match(await post('ftp://127.0.0.1/'), { error: notPublic })
  t.match(await post(`http://me:secret@127.0.0.1:${port}/`), { error: notPublic })
})

t.test('nothing is sent to the ports of other protocols', async (t) => {
  for (const port of [0, 22, 25, 6379]) {
    t.match(await post(`http://127.0.0.1:${port}/`), { error: `port ${port} is one of another protocol` })
  }
})

t.test('a large response is not read to its end', async (t) => {
  const closed = Promise.withResolvers<number>()
  const port = await receiver(t, (_, response) => {
    const chunk = Buffer.alloc(64 * 1024)
    let sent = 0
    const send = () => {
      do sent += chunk.length
      while (sent < 2 ** 30 && response.write(chunk))
    }
    response.on('drain', send).on('close', () => closed.resolve(sent))
    send()
  })
  t.match(await post(`http://127.0.0.1:${port}/`), { status: 200 })
  t.ok((await closed.promise) < 2 ** 26, 'the connection was closed early')
})

t.test('the first KiB of the response is in the outcome', async (t) => {
  const port = await receiver(t, ({ url }, response) => response.end(url === '/empty' ? '' : `a${'ä'.repeat(2_000)}`))
  const { response } = await post(`http://127.0.0.1:${port}/`)
  t.equal(response, `a${'ä'.repeat(511)}`, 'a character that was cut is left out')
  t.notOk('response' in (await post(`http://127.0.0.1:${port}/empty`)))
})

t.test('a receiver that sends no or slow headers times out', async (t) => {
  const silent = await receiver(t, () => {})
  t.match(await post(`http://127.0.0.1:${silent}/`, { timeoutMs: 200 }), { error: 'no response within 0.2 s' })
  const slow = await listen(
    t,
    net.createServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n')
      const timer = setInterval(() => socket.write('x-more: 1\r\n'), 20)
      socket.on('close', () => clearInterval(timer)).on('error', () => {})
    }),
  )
  t.match(await post(`http://127.0.0.1:${slow}/`, { timeoutMs: 200 }), { error: 'no response within 0.2 s' })
})

t.test('a slow body does not change the status', async (t) => {
  const port = await receiver(t, (_, response) => {
    response.writeHead(200)
    const timer = setInterval(() => response.write('.'), 20)
    response.on('close', () => clearInterval(timer))
  })
  t.match(await post(`http://127.0.0.1:${port}/`, { timeoutMs: 200 }), { status: 200 })
})

t.test('connection errors and other protocols have their own messages', async (t) => {
  const { port: free } = await new Promise<AddressInfo>((resolve) => {
    const server = net.createServer().listen(0, '127.0.0.1', () => {
      const address = server.address() as AddressInfo
      server.close(() => resolve(address))
    })
  })
  t.match(await post(`http://127.0.0.1:${free}/`), { error: 'the connection was refused' })
  const closing = await receiver(t, (request) => request.socket.destroy())
  t.match(await post(`http://127.0.0.1:${closing}/`), { error: 'the connection was closed without a response' })
  const otherProtocol = await listen(
    t,
    net.createServer((socket) => socket.on('error', () => {}).end('220 mail.example.com ESMTP\r\n')),
  )
  t.match(await post(`http://127.0.0.1:${otherProtocol}/`), { error: 'the response is not HTTP' })
  const talkative = await listen(
    t,
    net.createServer((socket) =>
      socket.on('error', () => {}).end(`HTTP/1.1 200 OK\r\nx-filler: ${'x'.repeat(100_000)}\r\n\r\n`),
    ),
  )
  t.match(await post(`http://127.0.0.1:${talkative}/`), { error: 'the response headers are larger than 16 KiB' })
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

t.test('nothing is sent over https to a receiver without TLS', async (t) => {
  const port = await receiver(t, () => t.fail('a request was received'))
  t.match(await post(`https://127.0.0.1:${port}/`), { error: String })
})
