import type { Unreadable } from '@platen/event-store/decider.ts'
import type { Failure } from '../http/failure.ts'
import type {
  ErasedContent,
  GenerationCompleted,
  GenerationEvent,
  GenerationOutcome,
  GenerationRequested,
} from './generation-events.ts'

type Known = {
  request: GenerationRequested['data']
  /** An operator has deleted the content. */
  erased?: ErasedContent
}

/** The state of a generation, folded from its stream. A queued generation has no stream yet: `absent`. */
export type GenerationState =
  | { status: 'absent' }
  | (Known & { status: 'rendering'; attempts: number })
  | (Known & { status: 'completed'; result: GenerationCompleted['data'] })
  | (Known & { status: 'failed'; failure: Failure })
  | (Known & { status: 'cancelled' })

export const absentGeneration: GenerationState = { status: 'absent' }

export function evolveGeneration(generation: GenerationState, event: GenerationEvent | Unreadable): GenerationState {
  if (event.type === 'GenerationRequested') return { status: 'rendering', request: event.data, attempts: 0 }
  if (generation.status === 'absent') return generation
  const { request } = generation
  switch (event.type) {
    case 'GenerationStarted':
      return { status: 'rendering', request, attempts: event.data.attempt ?? 1 }
    case 'GenerationCompleted':
      return { status: 'completed', request, result: event.data }
    case 'GenerationFailed':
      return { status: 'failed', request, failure: event.data }
    case 'GenerationCancelled':
      return { status: 'cancelled', request }
    case 'ContentErased':
      return { ...generation, erased: event.data }
    case '$unreadable':
      return generation
  }
}

/** The event that ended the generation; undefined before. */
export function outcomeOf(generation: GenerationState): GenerationOutcome | undefined {
  switch (generation.status) {
    case 'completed':
      return { type: 'GenerationCompleted', data: generation.result }
    case 'failed':
      return { type: 'GenerationFailed', data: generation.failure }
    case 'cancelled':
      return { type: 'GenerationCancelled', data: {} }
    case 'absent':
    case 'rendering':
      return undefined
  }
}
