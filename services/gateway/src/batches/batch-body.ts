import type { Batch, BatchCounts, BatchItemResult } from '@platen/domain/batch/batch.ts'
import { defined } from '@platen/foundation/json/defined.ts'
import { idTimeMs } from '@platen/foundation/runtime/ids.ts'
import { generationBody } from '../generations/generation-body.ts'
import type { Urls } from '../http/urls.ts'
import { type BatchRecord, type KnownBatch, noneBegun } from '../views/batch-view.ts'
import type { GenerationRecord } from '../views/generation-record.ts'

/** The batch as the API returns it. */
export function batchBody({ id, state, begun }: Pick<BatchRecord, 'id' | 'state'> & Partial<BatchRecord>): Batch {
  const { total, metadata } = state.batch
  return {
    id,
    status: state.status,
    created_at: new Date(idTimeMs(id)).toISOString(),
    total,
    counts: countsOf(state, begun),
    ...defined({ metadata }),
    ...('endedAt' in state && { ended_at: state.endedAt }),
  }
}

function countsOf(state: KnownBatch, begun: BatchRecord['begun'] = noneBegun): BatchCounts {
  if ('ended' in state) {
    const { completed, failed, cancelled } = state.ended
    return { queued: 0, rendering: 0, completed, failed, cancelled }
  }
  const { rendering, completed, failed, cancelled } = begun
  const queued = Math.max(0, state.batch.total - rendering - completed - failed - cancelled)
  return { queued, rendering, completed, failed, cancelled }
}

export interface Item {
  index: number
  generationId: string
  /** Undefined if it has not begun. */
  record: GenerationRecord | undefined
}

/** The item as the API returns it. An item that had not begun when its batch ended was cancelled. */
export function itemBody({ index, generationId, record }: Item, state: KnownBatch, urls: Urls): BatchItemResult {
  if (!record) return { index, generation_id: generationId, status: 'ended' in state ? 'cancelled' : 'queued' }
  const { status, file_name, metadata, url, pages, size, error } = generationBody(record, urls)
  return {
    index,
    generation_id: generationId,
    status,
    ...defined({ file_name, metadata, url, pages, size, error }),
  }
}
