import t from 'tap'
import { QueuedByKey } from './queued-by-key.ts'

t.test('the first generations of an API key wait in batch, later ones in backlog', async (t) => {
  const queued = new QueuedByKey()
  const first = Array.from({ length: 8 }, (_, at) => queued.add('one', `one-${at}`))
  t.ok(first.every((queue) => queue === 'batch'))
  t.equal(queued.add('one', 'one-8'), 'backlog')
  t.equal(queued.add('other', 'other-0'), 'batch')
  for (const id of ['one-3', 'one-3', 'unknown']) queued.ended(id)
  t.equal(queued.add('one', 'one-4'), 'backlog', 'a repeated one is counted once')
  queued.ended('one-8')
  t.equal(queued.add('one', 'one-9'), 'batch')
})
