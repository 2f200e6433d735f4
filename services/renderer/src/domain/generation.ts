import type { Failure } from '@platen/shared/contracts/failure.ts'
import type { GenerationCompleted, GenerationEvent, GenerationRequested } from '@platen/shared/contracts/generation.ts'
import { absentGeneration, evolveGeneration, type GenerationState } from '@platen/shared/contracts/generation-state.ts'
import type { Decider } from '@platen/shared/event-store/decider.ts'
import { DomainError } from '@platen/shared/runtime/errors.ts'

type Request = GenerationRequested['data']

/** `renderer`: the one that started it; absent if none has. */
type Job = { request: Request; renderer?: string }

/** Each has the job, because each may be the first command of the stream. */
export type GenerationCommand =
  | { type: 'StartGeneration'; data: Job }
  | { type: 'CompleteGeneration'; data: Job & { result: GenerationCompleted['data'] } }
  | { type: 'FailGeneration'; data: Job & { failure: Failure } }
  | { type: 'CancelGeneration'; data: Job }

/** Stream `generation-<id>`. Two renderers may run one job: the first ending is recorded, the second ignored. */
export const generationDecider: Decider<GenerationState, GenerationCommand, GenerationEvent> = {
  initialState: absentGeneration,
  evolve: evolveGeneration,
  decide(command, generation) {
    switch (command.type) {
      case 'StartGeneration':
        return openingEvents(generation, command.data)
      case 'CompleteGeneration':
        if (isFinal(generation)) return []
        return [...openingEvents(generation, command.data), { type: 'GenerationCompleted', data: command.data.result }]
      case 'FailGeneration':
        if (isFinal(generation)) return []
        return [...openingEvents(generation, command.data), { type: 'GenerationFailed', data: command.data.failure }]
      case 'CancelGeneration':
        if (generation.status === 'cancelled') return []
        if (isFinal(generation)) throw new DomainError('CONFLICT', `The generation has already ${generation.status}`)
        return [...openingEvents(generation, command.data), { type: 'GenerationCancelled', data: {} }]
    }
  },
}

function isFinal(generation: GenerationState): boolean {
  return generation.status !== 'absent' && generation.status !== 'rendering'
}

/** The first events of the stream; empty if it exists. */
function openingEvents(generation: GenerationState, { request, renderer }: Job): GenerationEvent[] {
  if (generation.status !== 'absent') return []
  return [
    { type: 'GenerationRequested', data: request },
    ...(renderer === undefined ? [] : [{ type: 'GenerationStarted', data: { renderer } } as const]),
  ]
}
