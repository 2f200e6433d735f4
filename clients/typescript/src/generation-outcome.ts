import { PlatenError } from './platen-error.ts'
import type { CompletedGeneration, Generation } from './types.ts'

export const isRunning = ({ status }: Generation) => status === 'queued' || status === 'rendering'

/** The id of a generation that is still running after the server has stopped waiting for it. Throws any other error. */
export function runningGeneration(error: unknown): string {
  if (error instanceof PlatenError && error.code === 'WAIT_TIMEOUT' && error.generationId !== undefined) {
    return error.generationId
  }
  throw error
}

/** A generation that has ended, if its PDF can be fetched. Throws its error otherwise. */
export function completed(generation: Generation): CompletedGeneration {
  const { id: generationId, status, error, url, pages, size, duration_ms, warnings = [] } = generation
  const job = { generationId, generationStatus: status }
  if (status === 'cancelled') {
    throw new PlatenError({ code: 'GENERATION_CANCELLED', message: 'The generation was cancelled', ...job })
  }
  if (error) throw new PlatenError({ ...error, ...job })
  if (status !== 'completed' || url === undefined || pages === undefined || size === undefined) {
    throw new PlatenError({
      code: 'UNEXPECTED_RESPONSE',
      message: `The generation is ${status} and has no PDF`,
      ...job,
    })
  }
  return { ...generation, status, url, pages, size, duration_ms: duration_ms ?? 0, warnings }
}
