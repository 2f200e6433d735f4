import type { Envelope } from '@platen/shared/contracts/command.ts'
import type { CancelGeneration, GenerationOutcome } from '@platen/shared/contracts/generation.ts'
import type { EventStore } from '@platen/shared/event-store/event-store.ts'
import { bareRequest, end } from './generation-stream.ts'

/** Ends a generation that is queued or rendering. Throws DomainError CONFLICT when it has ended otherwise. */
export function cancelGeneration(store: EventStore, command: Envelope<CancelGeneration>): Promise<GenerationOutcome> {
  const { request } = command.data
  const cancel = { type: 'CancelGeneration', data: { request: bareRequest(request) } } as const
  return end(store, request.generation_id, cancel, command)
}
