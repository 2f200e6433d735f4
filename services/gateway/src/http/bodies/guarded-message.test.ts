import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { sendUntilClosed } from '@platen/test-support/gateway/send-until-closed.ts'
import { until } from '@platen/test-support/until.ts'
import t, { type Test } from 'tap'
import { endAfterResponse, GuardedMessage } from './guarded-message.ts'
import { whenOver } from './receive.ts'

const head = 'POST / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n'
const pieces = (size: number, count: number) => `${size.toString(16)}\r\n${'A'.repeat(size)}\r\n`.repeat(count)

/** Reads bodies, or refuses them unread: `POST /` with a header `authorization` is read. */
async function startServer(t: Test) {
  let refused = 0
  const server = createServer({ IncomingMessage: GuardedMessage }, async (request, response) => {
    if (request.headers.authorization === undefined) {
      whenOver(request, () => refused++)
      return response.writeHead(401).end()
    }
    let bytes = 0
    try {
      for await (const piece of request) bytes += piece.length
      response.end(`${bytes} bytes`)
    } catch {
      response.destroy()
    }
  })
  server.on('request', endAfterResponse)
  const reads: { bytesRead: number }[] = []
  server.on('connection', (socket) => reads.push(socket))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.teardown(() => server.close())
  const { port } = server.address() as AddressInfo
  return { port, refused: () => refused, bytesRead: () => reads.reduce((sum, { bytesRead }) => sum + bytesRead, 0) }
}

t.test('a body in tiny pieces ends its connection, and one in pieces as lines have them is read', async (t) => {
  const { port, bytesRead } = await startServer(t)
  await sendUntilClosed(`http://127.0.0.1:${port}`, `${head}authorization: a\r\n\r\n`, pieces(1, 10_000))
  t.ok(bytesRead() < 2 ** 20, `${bytesRead()} bytes were read`)
  const socket = connect(port, '127.0.0.1')
  socket.write(`${head}authorization: a\r\nconnection: close\r\n\r\n${pieces(70, 20_000)}0\r\n\r\n`)
  let answer = ''
  for await (const bytes of socket) answer += bytes
  t.match(answer, /1400000 bytes/)
})

t.test('what follows a refusal is read for a moment only', async (t) => {
  for (const size of [1, 60_000]) {
    const { port, bytesRead, refused } = await startServer(t)
    const answer = await sendUntilClosed(
      `http://127.0.0.1:${port}`,
      `${head}\r\n`,
      pieces(size, Math.ceil(100_000 / size)),
    )
    t.match(answer, /^HTTP\/1.1 401/)
    t.equal(await until(async () => refused() || undefined, 'the body is not over'), 1)
    t.ok(bytesRead() < 64 * 2 ** 20, `in pieces of ${size}: ${bytesRead()} bytes were read`)
  }
})

t.test('a refused body that ends keeps its connection, and one that does not is not waited for', async (t) => {
  const { port } = await startServer(t)
  const socket = connect(port, '127.0.0.1').setEncoding('latin1')
  socket.write(`${head}\r\n${pieces(60_000, 3)}0\r\n\r\n`)
  const [first] = await once(socket, 'data')
  socket.write(`${head}authorization: a\r\n\r\n${pieces(10, 1)}0\r\n\r\n`)
  const [second] = await once(socket, 'data')
  t.match(first, /^HTTP\/1.1 401/)
  t.match(second, /10 bytes/)
  socket.write(`${head}\r\n${pieces(10, 1)}`)
  await once(socket, 'close')
})
