import { randomUUID } from 'node:crypto'
import type { CommandMetadata } from '@platen/shared/contracts/command.ts'
import type { FastifyRequest } from 'fastify'
import { apiKeyOf } from '../api-keys/authentication.ts'

/** https://www.w3.org/TR/trace-context/#traceparent-header */
const traceparentPattern = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/

export function commandMetadata(request: FastifyRequest, commandId: string = randomUUID()): CommandMetadata {
  const { id, headers } = request
  const { traceparent } = headers
  return {
    id: commandId,
    time: new Date().toISOString(),
    correlation_id: id,
    api_key_id: apiKeyOf(request).id,
    ...(typeof traceparent === 'string' && traceparentPattern.test(traceparent) && { traceparent }),
  }
}
