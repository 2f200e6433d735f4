import type { Decider } from '@platen/event-store/decider.ts'
import type { EventStore } from '@platen/event-store/event-store.ts'
import { handleCommand, operatorMetadata } from '@platen/event-store/handle-command.ts'
import type { CommandMetadata } from '@platen/foundation/command.ts'
import { type ErasedContent, type GenerationEvent, generationStream } from './generation-events.ts'
import { absentGeneration, evolveGeneration, type GenerationState, outcomeOf } from './generation-state.ts'

type RecordErasure = { type: 'RecordErasure'; data: ErasedContent }

const decider: Decider<GenerationState, RecordErasure, GenerationEvent> = {
  initialState: absentGeneration,
  evolve: evolveGeneration,
  decide({ data }, generation) {
    // One whose events cannot be read has no state.
    if (generation.status === 'absent' || !outcomeOf(generation)) return []
    const isNews = generation.erased === undefined || data.objects + data.dead_letters > 0
    return isNews ? [{ type: 'ContentErased', data }] : []
  },
}

/** Records which content of a generation was deleted. A repeated call that deleted nothing records nothing. */
export async function recordErasure(
  store: EventStore,
  generationId: string,
  data: ErasedContent,
  metadata: CommandMetadata = operatorMetadata(),
): Promise<void> {
  const command = { type: 'RecordErasure' as const, data, metadata }
  await handleCommand({ store, decider, stream: generationStream(generationId), command })
}
