import { DomainError } from '@platen/domain/http/errors.ts'
import type { Failure } from '@platen/domain/http/failure.ts'
import { LruCache } from '@platen/foundation/runtime/lru-cache.ts'

/**
 * How long the last refusal is sent again without asking a renderer, so that callers that ignore it do not keep
 * renderers busy.
 */
const repeatMs = 500

/** The API keys whose synchronous requests were refused a moment ago, because they would wait for too long. */
export class Congestion {
  readonly #refused = new LruCache<{ failure: Failure; until: number }>({ maxCount: 10_000, maxWeight: 1_000_000 })

  /** Call it with every failure of a synchronous request. */
  observe(apiKeyId: string, failure: Failure): void {
    if (failure.code !== 'QUEUE_FULL') return
    this.#refused.set(apiKeyId, { failure, until: performance.now() + repeatMs })
  }

  /** Throws QUEUE_FULL. */
  check(apiKeyId: string): void {
    const refused = this.#refused.get(apiKeyId)
    if (refused && performance.now() < refused.until) throw DomainError.from(refused.failure)
  }
}
