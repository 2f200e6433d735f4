import { setImmediate as immediate } from 'node:timers/promises'
import t from 'tap'
import { RecentCount } from './recent-count.ts'

/** A count that is asked for each time, or never again. */
const always = { askAfterMs: -1, waitAfterMs: Number.POSITIVE_INFINITY }
const never = { askAfterMs: Number.POSITIVE_INFINITY, waitAfterMs: Number.POSITIVE_INFINITY }

function given(counts: readonly (number | undefined)[]) {
  const left = [...counts]
  return new RecentCount(async () => left.shift())
}

t.test('what was added since the last count, or is being added, is counted', async (t) => {
  const count = given([10, 11])
  t.equal(await count.value(always), 10)
  const end = count.begin()
  t.equal(await count.value(never), 11, 'while it is added')
  end(true)
  t.equal(await count.value(never), 11)
  count.begin()(false)
  t.equal(await count.value(never), 11, 'it was not added')
  t.equal(await count.value(always), 11, 'the last count, while the next one is made')
  await immediate()
  t.equal(count.known, 11, 'it is in the next one')
})

t.test('while nobody counts, the last count is used', async (t) => {
  const count = given([undefined, 3, undefined])
  t.equal(await count.value(always), 0)
  t.equal(await count.value(always), 3)
  count.begin()(true)
  t.equal(await count.value({ askAfterMs: -1, waitAfterMs: -1 }), 4)
})
