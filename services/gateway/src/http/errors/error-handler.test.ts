import { once } from 'node:events'
import { connect } from 'node:net'
import { untilAborted } from '@platen/foundation/runtime/until-aborted.ts'
import { until } from '@platen/test-support/until.ts'
import fastify, { LogController } from 'fastify'
import t from 'tap'
import { accessLog } from '../plugins/access-log.ts'
import { clientDisconnected } from './disconnects.ts'
import { errorHandler } from './error-handler.ts'

t.test('a request whose client leaves while it waits has one line in the log, and no error', async (t) => {
  const lines: Record<string, unknown>[] = []
  const stream = { write: (line: string) => void lines.push(JSON.parse(line)) }
  const app = fastify({
    logger: { level: 'info', stream },
    logController: new LogController({ disableRequestLogging: true }),
  })
  t.teardown(() => app.close())
  app.register(accessLog, { isApiKey: () => false })
  app.register(errorHandler)
  let state = ''
  app.get('/v1/wait', async (_request, reply) => {
    state = 'waits'
    try {
      await untilAborted(new Promise(() => {}), clientDisconnected(reply))
    } finally {
      state = 'ended'
    }
  })
  const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
  const client = connect(Number(port), '127.0.0.1')
  await once(client, 'connect')
  client.write('GET /v1/wait HTTP/1.1\r\nHost: x\r\n\r\n')
  await until(() => state === 'waits' || undefined, 'the request did not arrive')
  client.destroy()
  await until(() => state === 'ended' || undefined, 'the request did not end')
  await new Promise(setImmediate)
  const [line, ...more] = lines.filter(({ msg }) => !String(msg).startsWith('Server listening'))
  t.match(line, { msg: 'request', path: '/v1/wait', aborted: true, level: 30 })
  t.strictSame(more, [])
})
