import type { CancelGeneration } from '@platen/domain/generation/generation.ts'
import type { GenerationOutcome } from '@platen/domain/generation/generation-events.ts'
import { refuseAfterDeadline } from '@platen/event-store/handle-command.ts'
import type { Envelope } from '@platen/foundation/command.ts'
import { bareRequest, type GenerationRepository } from './generation-repository.ts'

/**
 * Cancels a queued or rendering generation. Throws DomainError CONFLICT if it has completed or failed, and
 * SERVICE_UNAVAILABLE after the deadline of the command.
 */
export async function cancelGeneration(
  generations: GenerationRepository,
  command: Envelope<CancelGeneration>,
  nowMs: number,
): Promise<GenerationOutcome> {
  refuseAfterDeadline(command.metadata, nowMs)
  const { request } = command.data
  const job = { id: request.generation_id, request: bareRequest(request), cause: command }
  return generations.end(job, { type: 'CancelGeneration' })
}
