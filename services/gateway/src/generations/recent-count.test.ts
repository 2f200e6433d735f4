import { setImmediate as immediate } from 'node:timers/promises'
import t from 'tap'
import { RecentCount } from './recent-count.ts'

/** A count that is asked for each time, or never again. */
const always = { askAfterMs: -1, waitAfterMs: Number.POSITIVE_INFINITY }
const never = { askAfterMs: Number.POSITIVE_INFINITY, waitAfterMs: Number.POSITIVE_INFINITY }

t.test('what was added since the last count, or is being added, is counted', async (t) => {
  const counts = [10, 11]
  const count = new RecentCount(async () => counts.shift())
  t.equal(await count.value(always), 10)
  const adding = Promise.withResolvers<void>()
  const added = count.add(adding.promise)
  t.equal(await count.value(never), 11, 'while it is added')
  adding.resolve()
  await added
  t.equal(await count.value(never), 11)
  await count.add(Promise.reject(new Error('not stored')))
  t.equal(await count.value(never), 11, 'it was not added')
  t.equal(await count.value(always), 11, 'the last count, while the next one is made')
  await immediate()
  t.equal(count.known, 11, 'it is in the next one')
})
