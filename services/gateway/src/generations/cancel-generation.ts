import type { CancelGeneration, GenerationRequest } from '@platen/domain/generation/generation.ts'
import type { GenerationOutcome } from '@platen/domain/generation/generation-events.ts'
import { fail } from '@platen/domain/http/errors.ts'
import { commandSubjects } from '@platen/domain/streams/subjects.ts'
import type { CommandMetadata } from '@platen/foundation/command.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import { sendCommand } from '@platen/messaging/requests/send-command.ts'
import type { FastifyRequest } from 'fastify'
import type { CommandClient } from '../messaging/command-client.ts'
import { commandMetadata } from '../messaging/command-metadata.ts'
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

/** Cancels the generation of a client that has disconnected and will not ask for the result. Never rejects. */
export async function abandonGeneration(
  bus: Bus,
  generation: GenerationRequest,
  request: FastifyRequest,
): Promise<void> {
  const command: CancelGeneration = { type: 'CancelGeneration', data: { request: generation } }
  const subject = commandSubjects.cancel(generation.generation_id)
  await sendCommand(bus, { subject, command: { ...command, metadata: commandMetadata(request) } }).catch((err) => {
    request.log.warn({ err, generation: generation.generation_id }, 'generation without a client not cancelled')
  })
}
