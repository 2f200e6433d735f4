import t from 'tap'
import { QueuedByKey } from './queued-by-key.ts'

/** A claim of a key; by default each key has its own owner. */
const claim = (key: string, owner = key) => ({ owner, key })
const add = (queued: QueuedByKey, key: string, count: number) => {
  for (let n = 0; n < count; n++) queued.added(claim(key), `${key}-${n}`)
}

t.test('the first generations of an API key wait in batch, later ones in backlog', async (t) => {
  const queued = new QueuedByKey()
  add(queued, 'one', 8)
  t.equal(queued.queueFor('one'), 'backlog')
  t.equal(queued.queueFor('other'), 'batch')
  queued.ended('one-3')
  queued.ended('one-3')
  queued.ended('unknown')
  queued.added(claim('one'), 'one-4')
  t.equal(queued.queueFor('one'), 'batch')
  queued.added(claim('one'), 'one-8')
  t.equal(queued.queueFor('one'), 'backlog')
})

t.test('one API key cannot fill the queue, and a full queue takes nothing', async (t) => {
  const queued = new QueuedByKey()
  add(queued, 'one', 90)
  t.throws(() => queued.check(claim('one'), 90, 100), {
    code: 'QUEUE_FULL',
    message: /its limit of the queue: 90 of its/,
  })
  t.doesNotThrow(() => queued.check(claim('one'), 80, 100))
  t.doesNotThrow(() => queued.check(claim('other'), 90, 100))
  t.throws(() => queued.check(claim('other'), 100, 100), { code: 'QUEUE_FULL', message: /The queue is full: 100/ })
})

t.test('an owner cannot fill the queue with many API keys, and one of its keys leaves room for the next', async (t) => {
  const queued = new QueuedByKey()
  let count = 0
  for (let key = 0; key < 100; key++) {
    for (;;) {
      const own = claim(`key-${key}`, 'attacker')
      try {
        queued.check(own, count, 1_000)
      } catch {
        break
      }
      queued.added(own, `pdf-${count++}`)
    }
    if (key === 0) t.equal(count, 900)
  }
  t.equal(count, 990)
  t.throws(() => queued.check(claim('key-200', 'attacker'), 990, 1_000), {
    message: /This owner has reached its limit of the queue: 990/,
  })
  t.doesNotThrow(() => queued.check(claim('other'), 990, 1_000))
})
