import type { GenerationEvent, GenerationOutcome } from '@platen/domain/generation/generation-events.ts'
import { absentGeneration, evolveGeneration, outcomeOf } from '@platen/domain/generation/generation-state.ts'
import type { LoggedEvent } from '../evidence.ts'

export type Outcome = GenerationOutcome

export const statuses = {
  GenerationCompleted: 'completed',
  GenerationFailed: 'failed',
  GenerationCancelled: 'cancelled',
} as const

/** How a generation has ended. */
export function outcomeOfGeneration(events: readonly LoggedEvent[] = []): Outcome | undefined {
  return outcomeOf((events as unknown as GenerationEvent[]).reduce(evolveGeneration, absentGeneration))
}

/** The next request with its Idempotency-Key makes another generation. */
export const wasRefused = (end: Outcome | undefined): boolean =>
  end?.type === 'GenerationFailed' && end.data.code === 'QUEUE_FULL'
