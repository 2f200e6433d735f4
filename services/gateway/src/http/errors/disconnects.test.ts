import fastify from 'fastify'
import t from 'tap'
import { clientDisconnected } from './disconnects.ts'

t.test('however often a reply is asked for its signal, it has one listener', async (t) => {
  const app = fastify()
  t.teardown(() => app.close())
  app.get('/', async (_request, reply) => {
    const before = reply.raw.listenerCount('close')
    const signals = new Set(Array.from({ length: 20 }, () => clientDisconnected(reply)))
    return { signals: signals.size, listeners: reply.raw.listenerCount('close') - before }
  })
  t.same((await app.inject('/')).json(), { signals: 1, listeners: 1 })
})
