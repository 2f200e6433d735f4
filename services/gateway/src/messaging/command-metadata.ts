import { randomUUID } from 'node:crypto'
import type { CommandMetadata } from '@platen/foundation/command.ts'
import type { FastifyRequest } from 'fastify'
import { apiKeyOf } from '../api-keys/authentication.ts'
import { traceparentOf } from '../http/plugins/traces.ts'

export function commandMetadata(request: FastifyRequest, commandId: string = randomUUID()): CommandMetadata {
  const { id } = request
  const traceparent = traceparentOf(request)
  return {
    id: commandId,
    time: new Date().toISOString(),
    correlation_id: id,
    api_key_id: apiKeyOf(request).id,
    ...(traceparent !== undefined && { traceparent }),
  }
}
