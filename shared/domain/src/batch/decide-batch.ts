import type { Decider } from '@platen/event-store/decider.ts'
import { readable } from '@platen/foundation/runtime/readable.ts'
import { fail } from '../http/errors.ts'
import type { BatchEvent, EndedBatch, RecordedBatch } from './batch-events.ts'

export type BatchState =
  | { status: 'absent' }
  | { status: 'running' | 'cancelling'; batch: RecordedBatch }
  | { status: 'completed' | 'cancelled'; batch: RecordedBatch; ended: EndedBatch; endedAt: string }

export type BatchCommand =
  | { type: 'CreateBatch'; data: RecordedBatch }
  | { type: 'CancelBatch'; data: { id: string } }
  /** Every item that has begun has ended, and no other will begin. The counts are those of the items that have ended. */
  | { type: 'EndBatch'; data: Omit<EndedBatch, 'status'> }

export const absentBatch: BatchState = { status: 'absent' }

/** Stream `batch-<id>`. */
export const batchDecider: Decider<BatchState, BatchCommand, BatchEvent> = {
  initialState: absentBatch,
  decide(command, state) {
    switch (command.type) {
      case 'CreateBatch':
        return state.status === 'absent' ? [{ type: 'BatchCreated', data: command.data }] : []
      case 'CancelBatch':
        if (state.status === 'absent') return batchNotFound(command.data.id)
        if (state.status === 'completed') return fail('CONFLICT', 'The batch has already completed')
        return state.status === 'running' ? [{ type: 'BatchCancelRequested', data: {} }] : []
      case 'EndBatch': {
        if (state.status !== 'running' && state.status !== 'cancelling') return []
        return [{ type: 'BatchEnded', data: endOf(state, command.data) }]
      }
    }
  },
  evolve(state, event, { time }) {
    if (event.type === 'BatchCreated') return { status: 'running', batch: event.data }
    if (state.status === 'absent') return state
    switch (event.type) {
      case 'BatchCancelRequested':
        return { status: 'cancelling', batch: state.batch }
      case 'BatchEnded':
        return { status: event.data.status, batch: state.batch, ended: event.data, endedAt: time }
      case '$unreadable':
        return state
    }
  },
}

/** Throws if there are more items than the batch has: their counts are wrong. */
function endOf(
  { status, batch: { total } }: Extract<BatchState, { batch: RecordedBatch; status: 'running' | 'cancelling' }>,
  { completed, failed, cancelled }: Omit<EndedBatch, 'status'>,
): EndedBatch {
  const unbegun = total - completed - failed - cancelled
  if (unbegun < 0) throw new RangeError(`${total - unbegun} items of a batch of ${total} cannot have ended`)
  // One whose items have all begun before it was cancelled, and have ended, is complete.
  const isCancelled = unbegun > 0 || (cancelled > 0 && status === 'cancelling')
  return { status: isCancelled ? 'cancelled' : 'completed', completed, failed, cancelled: cancelled + unbegun }
}

export function batchNotFound(id: string): never {
  return fail('BATCH_NOT_FOUND', `Batch ${readable(id)} does not exist`)
}
