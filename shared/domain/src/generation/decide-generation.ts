import type { Decider } from '@platen/event-store/decider.ts'
import { DomainError } from '../http/errors.ts'
import type { Failure } from '../http/failure.ts'
import type { GenerationCompleted, GenerationEvent, GenerationRequested } from './generation-events.ts'
import { absentGeneration, evolveGeneration, type GenerationState } from './generation-state.ts'

type Request = GenerationRequested['data']

/**
 * `renderer`: the one that started the generation; absent if none has. `redelivered`: the command was delivered before,
 * and its handler stopped without recording an end.
 */
type Job = { request: Request; renderer?: string; redelivered?: boolean }

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
        return startingEvents(generation, command.data)
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

/** A repeated start is recorded before the work, so that a document that stops its renderer each time is found. */
function startingEvents(generation: GenerationState, job: Job): GenerationEvent[] {
  if (generation.status !== 'rendering' || !job.redelivered) return openingEvents(generation, job)
  return startedBy(job.renderer, generation.attempts + 1)
}

/** The first events of the stream; empty if it exists. */
function openingEvents(generation: GenerationState, { request, renderer, redelivered }: Job): GenerationEvent[] {
  if (generation.status !== 'absent') return []
  // The start of an attempt that ends within a moment is not recorded.
  return [{ type: 'GenerationRequested', data: request }, ...startedBy(renderer, redelivered ? 2 : 1)]
}

function startedBy(renderer: string | undefined, attempt: number): GenerationEvent[] {
  if (renderer === undefined) return []
  return [{ type: 'GenerationStarted', data: { renderer, ...(attempt > 1 && { attempt }) } }]
}
