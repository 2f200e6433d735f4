import rateLimit from '@fastify/rate-limit'
import { DomainError } from '@platen/domain/http/errors.ts'
import fp from 'fastify-plugin'
import { apiKeyOf } from './authentication.ts'

/** Limits the requests per minute of each owner and sets `RateLimit-*` headers. Requests that are refused before do not count. */
export const ownerRateLimit = fp<{ requestsPerMinute: number }>(
  async (app, { requestsPerMinute }) => {
    if (requestsPerMinute === 0) return
    await app.register(rateLimit, {
      max: requestsPerMinute,
      timeWindow: 60_000,
      enableDraftSpec: true,
      keyGenerator: (request) => apiKeyOf(request).ownerId,
      errorResponseBuilder: (_request, { max, ttl }) =>
        new DomainError(
          'RATE_LIMITED',
          `The owner of this API key may send ${max} requests per minute; retry in ${Math.ceil(ttl / 1_000)} s`,
        ),
    })
  },
  { name: 'rate-limit', dependencies: ['authentication', 'refusal-without-space'] },
)
