import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { openSocket, readAnswer } from '@platen/test-support/gateway/raw-socket.ts'
import fastify from 'fastify'
import t from 'tap'
import { shutdown } from './shutdown.ts'

const stopping = AbortSignal.abort()
const request = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'

async function startServer(idleGraceMs: number) {
  const app = fastify({ return503OnClosing: false, forceCloseConnections: 'idle' })
  await app.register(shutdown, { stopping, idleGraceMs })
  app.get('/', async () => ({}))
  return { app, url: await app.listen({ port: 0, host: '127.0.0.1' }) }
}

t.test('requests on connections that wait to be accepted are answered', async (t) => {
  const { app, url } = await startServer(0)
  // The system has accepted them at once, and the server has not had a turn yet.
  const sockets = Array.from({ length: 40 }, () => connect(Number(new URL(url).port), '127.0.0.1'))
  for (const socket of sockets) {
    socket.on('error', () => {})
    socket.write(request)
  }
  const closing = app.close()
  const answers = await Promise.allSettled(sockets.map((socket) => readAnswer(socket)))
  t.equal(answers.filter(({ status }) => status === 'fulfilled').length, sockets.length)
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
