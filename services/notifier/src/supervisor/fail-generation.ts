import type { GenerationRequest } from '@platen/domain/generation/generation.ts'
import {
  type GenerationEvent,
  type GenerationOutcome,
  generationStream,
} from '@platen/domain/generation/generation-events.ts'
import {
  absentGeneration,
  evolveGeneration,
  type GenerationState,
  outcomeOf,
} from '@platen/domain/generation/generation-state.ts'
import type { Failure } from '@platen/domain/http/failure.ts'
import type { Decider } from '@platen/event-store/decider.ts'
import type { EventStore } from '@platen/event-store/event-store.ts'
import { handleCommand } from '@platen/event-store/handle-command.ts'
import { derivedUuid } from '@platen/foundation/runtime/ids.ts'

type FailLost = { type: 'FailLost'; data: { request: GenerationRequest; failure: Failure } }

const decider: Decider<GenerationState, FailLost, GenerationEvent> = {
  initialState: absentGeneration,
  evolve: evolveGeneration,
  decide({ data: { request, failure } }, generation) {
    if (outcomeOf(generation)) return []
    const failed: GenerationEvent = { type: 'GenerationFailed', data: failure }
    if (generation.status !== 'absent') return [failed]
    const { generation_id: _, ...requested } = request
    return [{ type: 'GenerationRequested', data: requested }, failed]
  },
}

export interface LostGeneration {
  request: GenerationRequest
  failure: Failure
  nowMs: number
}

/**
 * Records the end of a generation that no renderer will end. Returns its outcome: this failure, or the one recorded
 * before. Throws the errors of the event store.
 */
export async function failGeneration(
  store: EventStore,
  { request, failure, nowMs }: LostGeneration,
): Promise<GenerationOutcome | undefined> {
  const { generation_id: id } = request
  const metadata = { id: derivedUuid(id, 'lost'), time: new Date(nowMs).toISOString(), correlation_id: id }
  const { state } = await handleCommand({
    store,
    decider,
    stream: generationStream(id),
    command: { type: 'FailLost', data: { request, failure }, metadata },
    attempt: 'supervisor',
  })
  return outcomeOf(state)
}
