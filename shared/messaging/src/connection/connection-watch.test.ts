import { setImmediate as nextTurn } from 'node:timers/promises'
import { ErrorCode, type NatsConnection, NatsError } from 'nats'
import { pino } from 'pino'
import t from 'tap'
import { ConnectionWatch } from './connection-watch.ts'

t.test('a connection that was closed meanwhile is not left with an error', async (t) => {
  const tried = Promise.withResolvers<void>()
  const never = new Promise<never>(() => {})
  const nats = {
    closed: () => never,
    status: () => ({ [Symbol.asyncIterator]: () => ({ next: () => never }) }),
    getServer: () => 'first',
    async reconnect() {
      tried.resolve()
      throw NatsError.errorForCode(ErrorCode.ConnectionClosed)
    },
  }
  const stop = new AbortController()
  new ConnectionWatch(nats as unknown as NatsConnection, {
    servers: 2,
    login: () => '',
    onPublishRefused: () => {},
    stopping: stop.signal,
    look: () => Promise.reject(new Error('no answer')),
    log: pino({ level: 'silent' }),
  })
  await tried.promise
  await nextTurn()
  stop.abort()
  t.pass('an unhandled rejection would end the process')
})
