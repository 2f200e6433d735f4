import type { CancelGeneration, GenerationRequest } from '@platen/domain/generation/generation.ts'
import type { GenerationOutcome } from '@platen/domain/generation/generation-events.ts'
import { fail } from '@platen/domain/http/errors.ts'
import { commandSubjects } from '@platen/domain/streams/subjects.ts'
import type { CommandMetadata } from '@platen/foundation/command.ts'
import type { CommandClient } from '../messaging/command-client.ts'
import { type GenerationRecord, recordOfOutcome } from '../views/generation-record.ts'

/** Throws CONFLICT when the generation is completed or failed. */
export async function cancelGeneration(
  client: CommandClient,
  request: GenerationRequest,
  metadata: CommandMetadata,
): Promise<GenerationRecord> {
  const command: CancelGeneration = { type: 'CancelGeneration', data: { request } }
  const subject = commandSubjects.cancel(request.generation_id)
  const outcome = await client.execute<GenerationOutcome>({ subject, command: { ...command, metadata } })
  const record = recordOfOutcome(request, outcome)
  return record.state.status === 'cancelled' ? record : alreadyEnded(record)
}

export function alreadyEnded({ state }: GenerationRecord): never {
  return fail('CONFLICT', `The generation is already ${state.status}`)
}
