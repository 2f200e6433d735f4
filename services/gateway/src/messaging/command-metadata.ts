import { randomUUID } from 'node:crypto'
import type { CommandMetadata } from '@platen/foundation/command.ts'
import { defined } from '@platen/foundation/json/defined.ts'
import type { FastifyRequest } from 'fastify'
import { apiKeyOf } from '../api-keys/authentication.ts'
import { traceparentOf } from '../http/plugins/traces.ts'

/** `time`: when the request came, or the first one that the command belongs to. */
export function commandMetadata(
  request: FastifyRequest,
  commandId: string = randomUUID(),
  time: string = new Date().toISOString(),
): CommandMetadata {
  const { id } = request
  const traceparent = traceparentOf(request)
  return {
    id: commandId,
    time,
    correlation_id: id,
    api_key_id: apiKeyOf(request).id,
    ...defined({ traceparent }),
  }
}
