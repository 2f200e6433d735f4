import { DependencyUnavailable } from '@platen/foundation/errors/errors.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { IdempotencyEntries, SentResponse } from './idempotency-entries.ts'
import { beginIdempotentRequest, type IdempotentRequest, replayedHeader } from './idempotent-request.ts'

export interface CreateOnceOptions {
  idempotency: IdempotencyEntries
}

/**
 * Answers a POST that creates a resource. A request that repeats one with the same Idempotency-Key finds the ids of the first,
 * and its response if it was saved.
 */
export async function createOnce(
  { idempotency }: CreateOnceOptions,
  { request, reply, prefix }: { request: FastifyRequest; reply: FastifyReply; prefix: 'tpl' | 'prt' },
  create: (idempotent: IdempotentRequest) => Promise<SentResponse>,
): Promise<FastifyReply> {
  const idempotent = await beginIdempotentRequest(idempotency, request, { prefix })
  if (idempotent.repeated) reply.header(replayedHeader, 'true')
  const response = idempotent.earlierResponse ?? (await createAndSave(idempotent, create))
  return reply.code(response.status).headers(response.headers).send(response.body)
}

async function createAndSave(
  idempotent: IdempotentRequest,
  create: (idempotent: IdempotentRequest) => Promise<SentResponse>,
): Promise<SentResponse> {
  try {
    const response = await create(idempotent)
    await idempotent.saveResponse(response)
    return response
  } catch (err) {
    // After an outage the command may still be executed, so a repeated request must find the same ids.
    if (!(err instanceof DependencyUnavailable)) await idempotent.releaseKey()
    throw err
  }
}
