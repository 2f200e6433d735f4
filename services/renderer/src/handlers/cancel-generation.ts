import type { Envelope } from '@platen/shared/contracts/command.ts'
import type { CancelGeneration, GenerationOutcome } from '@platen/shared/contracts/generation.ts'
import { bareRequest, type GenerationLog } from './generation-log.ts'

/** Ends a generation that is queued or rendering. Throws DomainError CONFLICT when it has ended otherwise. */
export function cancelGeneration(log: GenerationLog, command: Envelope<CancelGeneration>): Promise<GenerationOutcome> {
  const { request } = command.data
  const job = { id: request.generation_id, request: bareRequest(request), cause: command }
  return log.end(job, { type: 'CancelGeneration' })
}
