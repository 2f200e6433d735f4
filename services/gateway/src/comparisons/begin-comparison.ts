import type { Places } from '@platen/foundation/runtime/places.ts'
import type { FastifyRequest } from 'fastify'
import { apiKeyOf } from '../api-keys/authentication.ts'
import { releaseSlot } from '../limits/limit-work.ts'
import { tooMany } from '../limits/patience.ts'
import type { RequestLimiter } from '../limits/request-limiter.ts'

export interface ComparisonLimits {
  limiter: RequestLimiter
  comparisons: Places
}

/**
 * Gives the work slot of the request back, and waits until the comparison may begin. It ends on disposal. Throws
 * CONCURRENCY_LIMIT_EXCEEDED, what the limiter throws, and the reason of `disconnected`.
 */
export async function beginComparison(
  { limiter, comparisons }: ComparisonLimits,
  request: FastifyRequest,
  disconnected: AbortSignal,
): Promise<Disposable> {
  using held = new DisposableStack()
  const { id: apiKeyId, ownerId } = apiKeyOf(request)
  held.use(comparisons.take(ownerId) ?? tooMany('comparisons are being made'))
  releaseSlot(request)
  held.use(await limiter.take({ ownerId, apiKeyId, isAsync: false, disconnected }))
  return held.move()
}
