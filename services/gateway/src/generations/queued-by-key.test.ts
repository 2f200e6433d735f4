import t from 'tap'
import { QueuedByKey } from './queued-by-key.ts'

const add = (queued: QueuedByKey, key: string, count: number) => {
  for (let n = 0; n < count; n++) queued.added(key, `${key}-${n}`)
}

t.test('the first generations of an API key wait in batch, later ones in backlog', async (t) => {
  const queued = new QueuedByKey()
  add(queued, 'one', 8)
  t.equal(queued.queueFor('one'), 'backlog')
  t.equal(queued.queueFor('other'), 'batch')
  queued.ended('one-3')
  queued.ended('one-3')
  queued.ended('unknown')
  queued.added('one', 'one-4')
  t.equal(queued.queueFor('one'), 'batch')
  queued.added('one', 'one-8')
  t.equal(queued.queueFor('one'), 'backlog')
})

t.test('one API key cannot fill the queue, and a full queue takes nothing', async (t) => {
  const queued = new QueuedByKey()
  add(queued, 'one', 90)
  t.throws(() => queued.check('one', 90, 100), { code: 'QUEUE_FULL', message: /its share of the queue: 90 of its/ })
  t.doesNotThrow(() => queued.check('one', 80, 100))
  t.doesNotThrow(() => queued.check('other', 90, 100))
  t.throws(() => queued.check('other', 100, 100), { code: 'QUEUE_FULL', message: /The queue is full: 100/ })
})
