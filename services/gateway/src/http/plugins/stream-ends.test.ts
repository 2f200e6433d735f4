import { once } from 'node:events'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { until } from '@platen/test-support/until.ts'
import fastify, { type FastifyInstance, LogController } from 'fastify'
import t, { type Test } from 'tap'
import { accessLog } from './access-log.ts'
import { streamEnds } from './stream-ends.ts'

const content = 'x'.repeat(2_000)

/** A server whose response comes from a stream, and the lines of its log. */
async function serverOf(t: Test, body: () => Readable) {
  const lines: Record<string, unknown>[] = []
  const app: FastifyInstance = fastify({
    logger: { level: 'info', stream: { write: (line: string) => void lines.push(JSON.parse(line)) } },
    logController: new LogController({ disableRequestLogging: true }),
  })
  t.teardown(() => app.close())
  app.register(streamEnds)
  app.register(accessLog, { isApiKey: () => false })
  app.get('/v1/file', (_request, reply) => reply.header('content-length', content.length).send(body()))
  const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
  const logged = () => until(() => lines.find(({ msg }) => msg === 'request'), 'the request was not logged')
  return { port: Number(port), logged }
}

/** What the server sends until the client closes the connection, which it does after the last byte that was announced. */
async function download(port: number): Promise<string> {
  const client = connect(port, '127.0.0.1')
  client.write('GET /v1/file HTTP/1.1\r\nHost: x\r\n\r\n')
  let received = ''
  client.on('data', (chunk) => {
    received += chunk
    if (received.split('\r\n\r\n')[1]?.length === content.length) client.destroy()
  })
  await once(client, 'close')
  return received
}

t.test('a download whose client closes after the last byte is not one that was broken off', async (t) => {
  const closed = Promise.withResolvers<void>()
  const server = await serverOf(t, () =>
    Readable.from(
      (async function* () {
        yield Buffer.from(content.slice(0, 500))
        yield Buffer.from(content.slice(500))
        // The store ends its stream later.
        await closed.promise
      })(),
    ),
  )
  t.match(await download(server.port), content)
  const line = await server.logged()
  closed.resolve()
  t.match(line, { status: 200 })
  t.notHas(line, { aborted: true })
})

t.test('a stream that fails breaks the download off', async (t) => {
  const failing = async function* () {
    yield Buffer.from(content.slice(0, 500))
    throw new Error('gone')
  }
  const server = await serverOf(t, () => Readable.from(failing()))
  await t.rejects(fetch(`http://127.0.0.1:${server.port}/v1/file`).then((response) => response.text()))
  t.match(await server.logged(), { aborted: true })
})
