import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { openSocket, readAnswer } from '@platen/test-support/gateway/raw-socket.ts'
import type { WaitingConnections } from '@platen/test-support/gateway/waiting-connections.ts'
import fastify from 'fastify'
import t from 'tap'
import { shutdown } from './shutdown.ts'

const requestOf = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`
const request = requestOf('/')

async function startServer(idleGraceMs: number, stopping = AbortSignal.abort()) {
  const options = { return503OnClosing: false, forceCloseConnections: 'idle' } as const
  // The time after which a connection that is not used is closed: longer than the test may take.
  const app = fastify({ ...options, keepAliveTimeout: 3_600_000 })
  await app.register(shutdown, { stopping, idleGraceMs })
  const { promise: end, resolve } = Promise.withResolvers<void>()
  app.get('/', async () => ({}))
  app.get('/slow', () => end.then(() => 'slow'))
  app.get('/file', async (_, reply) => {
    const file = new PassThrough()
    file.write('begin')
    void end.then(() => file.end('end'))
    return reply.send(file)
  })
  return { app, end: resolve, url: await app.listen({ port: 0, host: '127.0.0.1' }) }
}

t.test('requests on connections that wait to be accepted are answered', async (t) => {
  const { app, url } = await startServer(0)
  const connected = new Int32Array(new SharedArrayBuffer(4))
  const workerData: WaitingConnections = { port: Number(new URL(url).port), count: 40, request, connected }
  const clients = new Worker(new URL(import.meta.resolve('@platen/test-support/gateway/waiting-connections.ts')), {
    workerData,
  })
  Atomics.wait(connected, 0, 0)
  const closing = app.close()
  const [answered] = await once(clients, 'message')
  t.equal(answered, workerData.count)
  await closing
})

t.test('the next request on an idle connection is answered, and the server is closed as soon as all are', async (t) => {
  const { app, url } = await startServer(60_000)
  const socket = await openSocket(url)
  const closing = app.close()
  while (app.server.listening) await delay(10)
  socket.write(request)
  t.match(await readAnswer(socket), { status: 200, headers: { connection: 'close' } })
  await closing
})

t.test('a connection that is not used is closed', async () => {
  const { app, url } = await startServer(10)
  const socket = await openSocket(url)
  const closed = once(socket.resume(), 'close')
  await app.close()
  await closed
})

t.test('a request that was sent together with one that is answered already is answered, too', async (t) => {
  const { app, end, url } = await startServer(0, new AbortController().signal)
  const [socket, idle] = await Promise.all([openSocket(url), openSocket(url)])
  socket.write(request + requestOf('/slow'))
  const [first] = await once(socket, 'data')
  t.match(String(first), '200 OK')
  const closing = app.close()
  await once(idle.resume(), 'close')
  end()
  const [second] = await once(socket, 'data')
  t.match(String(second), /slow$/)
  socket.destroy()
  await closing
})

t.test(
  'a client that keeps the connection of a file that was begun before the shutdown does not hold it up',
  async (t) => {
    const { app, end, url } = await startServer(0, new AbortController().signal)
    const [socket, idle] = await Promise.all([openSocket(url), openSocket(url)])
    socket.write(requestOf('/file'))
    await once(socket, 'data')
    const closing = app.close()
    await once(idle.resume(), 'close')
    end()
    t.match(await text(socket), 'end')
    await closing
  },
)
