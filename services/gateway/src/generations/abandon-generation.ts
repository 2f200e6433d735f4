import type { CancelGeneration, GenerateBody, GenerationRequest } from '@platen/domain/generation/generation.ts'
import { commandSubjects } from '@platen/domain/streams/subjects.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import { sendCommand } from '@platen/messaging/requests/send-command.ts'
import type { FastifyRequest } from 'fastify'
import { hasIdempotencyKey } from '../idempotency/idempotent-request.ts'
import { commandMetadata } from '../messaging/command-metadata.ts'

type GenerateRequest = FastifyRequest<{ Body: GenerateBody }>

/** Whether the client of a synchronous request may ask for the result after it has disconnected. */
export function mayReturn(request: GenerateRequest): boolean {
  return hasIdempotencyKey(request) || request.body.webhook_url !== undefined
}

/** Cancels the generation of a client that has disconnected, unless it may return. Never rejects. */
export async function abandonGeneration(
  bus: Bus,
  generation: GenerationRequest,
  request: GenerateRequest,
): Promise<void> {
  if (mayReturn(request)) return
  const command: CancelGeneration = { type: 'CancelGeneration', data: { request: generation } }
  const subject = commandSubjects.cancel(generation.generation_id)
  await sendCommand(bus, { subject, command: { ...command, metadata: commandMetadata(request) } }).catch((err) => {
    request.log.warn({ err, generation: generation.generation_id }, 'generation without a client not cancelled')
  })
}
