import t from 'tap'
import type { RecordedBatch } from './batch-events.ts'
import { type BatchState, batchDecider } from './decide-batch.ts'

const batch: RecordedBatch = { owner_id: 'own_default', api_key_id: 'key_1', total: 3, input: { name: 'a', parts: 1 } }
const end = (status: 'running' | 'cancelling', [completed = 0, failed = 0, cancelled = 0]: number[]) => {
  const state: BatchState = { status, batch }
  return batchDecider.decide({ type: 'EndBatch', data: { completed, failed, cancelled } }, state)[0]?.data
}

t.test('items that have not begun when a batch ends are cancelled', async (t) => {
  t.strictSame(end('running', [2, 1, 0]), { status: 'completed', completed: 2, failed: 1, cancelled: 0 })
  t.strictSame(end('running', [2, 0, 1]), { status: 'completed', completed: 2, failed: 0, cancelled: 1 })
  t.strictSame(end('cancelling', [3, 0, 0]), { status: 'completed', completed: 3, failed: 0, cancelled: 0 })
  t.strictSame(end('cancelling', [1, 0, 1]), { status: 'cancelled', completed: 1, failed: 0, cancelled: 2 })
})

t.test('more items than a batch has cannot have ended', async (t) => {
  t.throws(() => end('running', [3, 1, 0]), {
    name: 'RangeError',
    message: '4 items of a batch of 3 cannot have ended',
  })
})
