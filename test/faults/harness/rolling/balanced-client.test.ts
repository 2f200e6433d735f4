import t from 'tap'
import type { Door } from '../system.ts'
import { BalancedClient } from './balanced-client.ts'

type Reply = number | 'ECONNREFUSED' | 'ECONNRESET'

/** Gateways that answer with these, one after the other, and then with 200. */
function clientOf(replies: Record<string, Reply[]>) {
  const asked: string[] = []
  const doors = Object.entries(replies).map(([name, left]): Door => {
    const json = async () => {
      asked.push(name)
      const reply = left.shift() ?? 200
      if (typeof reply === 'string') throw new TypeError('fetch failed', { cause: { code: reply } })
      return { status: reply, headers: new Headers(), body: undefined as never }
    }
    return { name, json, request: () => Promise.reject(new Error('no request')) }
  })
  const [first] = doors
  if (!first) throw new Error('there is no gateway')
  const client = new BalancedClient(doors, 1)
  const send = (request: { body?: object; method?: string; headers?: Record<string, string> }) =>
    client.send(first, { operation: 'some', path: '/', expected: [200], ...request })
  return { asked, client, send }
}

t.test('what a gateway refuses is sent to another one, whatever it is', async (t) => {
  const { asked, client, send } = clientOf({ a: ['ECONNREFUSED'], b: ['ECONNREFUSED'] })
  t.match(await send({ body: {} }), { status: 200 })
  t.strictSame(asked, ['a', 'b', 'a'])
  t.match(client.requests, [{ status: 200, lostTries: [{ gateway: 'a', lost: 'refused' }, { gateway: 'b' }] }])
})

t.test('what may have been executed is repeated by its method or its Idempotency-Key only', async (t) => {
  for (const request of [{}, { method: 'DELETE' }, { body: {}, headers: { 'idempotency-key': 'x' } }]) {
    const { asked, send } = clientOf({ a: ['ECONNRESET'], b: [] })
    t.match(await send(request), { status: 200 })
    t.strictSame(asked, ['a', 'b'])
  }
  const { asked, client, send } = clientOf({ a: ['ECONNRESET'], b: [] })
  t.match(await send({ body: {} }), { status: 'cut', lost: 'broken' })
  t.strictSame(asked, ['a'])
  t.match(client.requests, [{ status: 'cut', lostTries: [{ gateway: 'a', lost: 'broken' }] }])
})

t.test('an answer is not asked for again', async (t) => {
  const { asked, send } = clientOf({ a: [503], b: [] })
  t.match(await send({}), { status: 503 })
  t.strictSame(asked, ['a'])
})
