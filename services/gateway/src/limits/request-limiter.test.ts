import { setTimeout as delay, setImmediate as immediate } from 'node:timers/promises'
import t from 'tap'
import { RequestLimiter } from './request-limiter.ts'

// The timers of the slots do not keep a process running.
const running = setInterval(() => {}, 1_000)
t.teardown(() => clearInterval(running))
const connected = new AbortController().signal

/** Takes slots of one key, and counts those that have begun. */
function clientOf(limiter: RequestLimiter, apiKeyId: string) {
  const begun: Disposable[] = []
  const take = (disconnected = connected, isAsync = false) =>
    limiter.take({ ownerId: apiKeyId, apiKeyId, isAsync, disconnected }).then((slot) => void begun.push(slot))
  return { begun, take, end: () => begun.shift()?.[Symbol.dispose]() }
}

t.test('a key has no limit while it is alone, and its share while another one is active', async (t) => {
  const limiter = new RequestLimiter({ atOnce: 2, maxWaitMs: 60_000 })
  const many = clientOf(limiter, 'many')
  await Promise.all([many.take(), many.take(), many.take()])
  t.equal(many.begun.length, 3)
  const one = clientOf(limiter, 'one')
  await one.take()
  const waiting = many.take()
  many.end()
  await delay(20)
  t.equal(many.begun.length, 2, 'the request waits')
  await many.take(connected, true)
  t.equal(many.begun.length, 3, 'an asynchronous one does not wait for synchronous ones')
  many.end()
  await waiting
  t.equal(many.begun.length, 3)
})

t.test('a request that waits too long is refused, and one whose client leaves no longer waits', async (t) => {
  const limiter = new RequestLimiter({ atOnce: 1, maxWaitMs: 100 })
  const one = clientOf(limiter, 'one')
  const many = clientOf(limiter, 'many')
  await Promise.all([one.take(), many.take()])
  const client = new AbortController()
  const left = t.rejects(many.take(client.signal), { name: 'AbortError' })
  client.abort()
  await left
  await t.rejects(many.take(), { code: 'QUEUE_FULL', details: { retry_after_s: 1 } })
  t.equal(many.begun.length, 1)
})

t.test('a key whose requests wait begins none beside a single request of another key, for a moment', async (t) => {
  let now = 0
  const limiter = new RequestLimiter({ atOnce: 1, maxWaitMs: 60_000, now: () => now })
  const one = clientOf(limiter, 'one')
  const many = clientOf(limiter, 'many')
  await Promise.all([one.take(), many.take()])
  const waiting = [many.take(), many.take(), many.take(), many.take()]
  many.end()
  await immediate()
  t.equal(many.begun.length, 0, 'it waits for the end of the single request')
  one.end()
  await waiting[0]
  await one.take()
  many.end()
  await immediate()
  t.equal(many.begun.length, 0)
  now += 100
  await waiting[1]
  many.end()
  await waiting[2]
  t.equal(many.begun.length, 1, 'the single request is a long one')
  one.end()
  await one.take()
  const queued = one.take()
  many.end()
  await waiting[3]
  t.equal(many.begun.length, 1, 'the requests of the other key wait, too')
  many.end()
  one.end()
  await queued
})

t.test('without a number there is no limit', async (t) => {
  const limiter = new RequestLimiter({ atOnce: undefined, maxWaitMs: 100 })
  const one = clientOf(limiter, 'one')
  const many = clientOf(limiter, 'many')
  await one.take()
  await Promise.all([many.take(), many.take(), many.take()])
  t.equal(many.begun.length, 3)
})
