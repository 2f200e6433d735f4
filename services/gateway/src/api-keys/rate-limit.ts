import rateLimit from '@fastify/rate-limit'
import { DomainError } from '@platen/shared/runtime/errors.ts'
import type { FastifyInstance } from 'fastify'
import { apiKeyOf } from './authentication.ts'

/** So many requests a minute for each API key, with `RateLimit-*` headers. To be added after authentication. */
export async function addRateLimit(app: FastifyInstance, requestsPerMinute: number): Promise<void> {
  if (requestsPerMinute === 0) return
  await app.register(rateLimit, {
    max: requestsPerMinute,
    timeWindow: 60_000,
    enableDraftSpec: true,
    keyGenerator: (request) => apiKeyOf(request).id,
    errorResponseBuilder: (_request, { max, ttl }) =>
      new DomainError('RATE_LIMITED', `${max} requests a minute are allowed; try again in ${Math.ceil(ttl / 1_000)} s`),
  })
}
