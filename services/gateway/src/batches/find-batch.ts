import { BatchId } from '@platen/domain/batch/batch.ts'
import { type BatchEvent, batchStream } from '@platen/domain/batch/batch-events.ts'
import { type BatchState, batchDecider, batchNotFound } from '@platen/domain/batch/decide-batch.ts'
import { load } from '@platen/event-store/handle-command.ts'
import type { StreamReader } from '@platen/event-store/read-in-time.ts'
import { Compile } from 'typebox/compile'
import { type BatchRecord, type BatchView, noneBegun } from '../views/batch-view.ts'

const batchId = Compile(BatchId)

export type FindBatch = (id: string, ownerId: string) => Promise<BatchRecord>

/**
 * Reads the event store, which is never behind; how many items have ended, it has from the view. A batch that has ended stays as it
 * is, so that the view is enough, also while the event store is unavailable. Throws BATCH_NOT_FOUND.
 */
export function batchFinder(store: StreamReader, view: BatchView): FindBatch {
  return async (id, ownerId) => {
    if (!batchId.Check(id)) return batchNotFound(id)
    const shown = view.state(id)
    if ('ended' in shown && shown.batch.owner_id === ownerId) return { id, state: shown, begun: noneBegun }
    const { state } = await load<BatchState, BatchEvent>(store, batchDecider, batchStream(id))
    if (state.status === 'absent' || state.batch.owner_id !== ownerId) return batchNotFound(id)
    return { id, state, begun: view.begun(id) }
  }
}
