import type { FastifyReply, FastifyRequest } from 'fastify'
import type { IdempotencyEntries } from './idempotency-entries.ts'
import { beginIdempotentRequest, type IdempotentRequest, replayedHeader } from './idempotent-request.ts'

export interface SentResponse {
  status: number
  headers: Record<string, string>
  body: unknown
}

export interface CreateOnceOptions {
  idempotency: IdempotencyEntries
}

/**
 * Answers a POST that creates a resource. A repeated request with the same Idempotency-Key sends the same command, and
 * gets the answer to the first one.
 */
export async function createOnce(
  { idempotency }: CreateOnceOptions,
  { request, reply, prefix }: { request: FastifyRequest; reply: FastifyReply; prefix: 'tpl' | 'prt' },
  create: (idempotent: IdempotentRequest) => Promise<SentResponse>,
): Promise<FastifyReply> {
  const idempotent = await beginIdempotentRequest(idempotency, request, { prefix })
  if (idempotent.repeated) reply.header(replayedHeader, 'true')
  const { status, headers, body } = await idempotent.attempt(() => create(idempotent))
  return reply.code(status).headers(headers).send(body)
}
