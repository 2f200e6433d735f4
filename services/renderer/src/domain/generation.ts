import type { Failure } from '@platen/shared/contracts/failure.ts'
import type { GenerationCompleted, GenerationEvent, GenerationRequested } from '@platen/shared/contracts/generation.ts'
import { absentGeneration, evolveGeneration, type GenerationState } from '@platen/shared/contracts/generation-state.ts'
import type { Decider } from '@platen/shared/event-store/decider.ts'
import { DomainError } from '@platen/shared/runtime/errors.ts'

type Request = GenerationRequested['data']

/** Each carries the request, as each may be the first that the stream hears of. */
export type GenerationCommand =
  | { type: 'StartGeneration'; data: { request: Request; renderer: string } }
  | { type: 'CompleteGeneration'; data: GenerationCompleted['data'] }
  | { type: 'FailGeneration'; data: { request: Request; failure: Failure } }
  | { type: 'CancelGeneration'; data: { request: Request } }

/** Stream `generation-<id>`. Two renderers may hold one job: only one ends it, the other finds it ended. */
export const generationDecider: Decider<GenerationState, GenerationCommand, GenerationEvent> = {
  initialState: absentGeneration,
  evolve: evolveGeneration,
  decide(command, generation) {
    switch (command.type) {
      case 'StartGeneration':
        if (generation.status !== 'absent') return []
        return [
          { type: 'GenerationRequested', data: command.data.request },
          { type: 'GenerationStarted', data: { renderer: command.data.renderer } },
        ]
      case 'CompleteGeneration':
        return generation.status === 'rendering' ? [{ type: 'GenerationCompleted', data: command.data }] : []
      case 'FailGeneration':
        if (isFinal(generation)) return []
        return [
          ...requestedFirst(generation, command.data.request),
          { type: 'GenerationFailed', data: command.data.failure },
        ]
      case 'CancelGeneration':
        if (generation.status === 'cancelled') return []
        if (isFinal(generation)) throw new DomainError('CONFLICT', `The generation has ${generation.status} already`)
        return [...requestedFirst(generation, command.data.request), { type: 'GenerationCancelled', data: {} }]
    }
  },
}

function isFinal(generation: GenerationState): boolean {
  return generation.status !== 'absent' && generation.status !== 'rendering'
}

function requestedFirst(generation: GenerationState, request: Request): GenerationEvent[] {
  return generation.status === 'absent' ? [{ type: 'GenerationRequested', data: request }] : []
}
