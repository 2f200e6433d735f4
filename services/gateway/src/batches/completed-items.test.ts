import { newId } from '@platen/foundation/runtime/ids.ts'
import t from 'tap'
import type { BatchRecord } from '../views/batch-view.ts'
import { completedItems } from './completed-items.ts'

t.test('other requests are answered while the items of a batch that has no PDFs are gone through', async (t) => {
  const total = 2_000
  const batch = {
    id: newId('bat'),
    state: {
      status: 'completed',
      batch: { owner_id: 'own_default', api_key_id: 'key_1', total, input: { name: 'bat_', parts: 1 } },
      ended: { status: 'completed', completed: 0, failed: total, cancelled: 0 },
      endedAt: new Date().toISOString(),
    },
  } satisfies Pick<BatchRecord, 'id' | 'state'>
  let looked = 0
  // Like the views, it answers at once.
  const findItem = async (_: unknown, index: number) => {
    looked += 1
    for (const until = performance.now() + 0.05; performance.now() < until; );
    return { index, generationId: '', record: undefined }
  }
  const seen: number[] = []
  const answer = () => {
    seen.push(looked)
    if (looked < total) setImmediate(answer)
  }
  setImmediate(answer)
  for await (const _ of completedItems(findItem, batch)) t.fail('there are none')
  t.equal(looked, total)
  t.ok(seen.filter((at) => at > 0 && at < total).length >= 3, `answered after ${seen}`)
})
