import { DomainError } from '@platen/domain/http/errors.ts'
import type { Failure } from '@platen/domain/http/failure.ts'
import { LruCache } from '@platen/foundation/runtime/lru-cache.ts'

/** A refusal is repeated for this time, so that a caller that ignores it does not keep the renderers busy with refusing. */
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
