import { randomUUID } from 'node:crypto'
import type { CommandMetadata } from '@platen/shared/contracts/command.ts'
import type { FastifyRequest } from 'fastify'

/** https://www.w3.org/TR/trace-context/#traceparent-header */
const traceparentPattern = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/

export function commandMetadata({ id, headers }: FastifyRequest, commandId: string = randomUUID()): CommandMetadata {
  const { traceparent } = headers
  return {
    id: commandId,
    time: new Date().toISOString(),
    correlation_id: id,
    ...(typeof traceparent === 'string' && traceparentPattern.test(traceparent) && { traceparent }),
  }
}
