import { fail } from '@platen/domain/http/errors.ts'
import type { RenderQueue } from '@platen/domain/streams/subjects.ts'

/** As many asynchronous generations of an API key are in the queue `batch`. Later ones wait in `backlog`. */
const maxInBatch = 8
/** An API key may have this many times as much of the queue as is free. So there is room for one that has nothing in it. */
const timesFree = 9

/** The asynchronous generations that this gateway has queued and that have not ended, by API key. */
export class QueuedByKey {
  readonly #keyOf = new Map<string, string>()
  readonly #counts = new Map<string, number>()

  added(apiKeyId: string, generationId: string): void {
    if (this.#keyOf.has(generationId)) return
    this.#keyOf.set(generationId, apiKeyId)
    this.#counts.set(apiKeyId, this.#count(apiKeyId) + 1)
  }

  /** To be called when a generation has ended, whoever has queued it. */
  ended(generationId: string): void {
    const key = this.#keyOf.get(generationId)
    if (key === undefined) return
    this.#keyOf.delete(generationId)
    const left = this.#count(key) - 1
    if (left > 0) this.#counts.set(key, left)
    else this.#counts.delete(key)
  }

  has(generationId: string): boolean {
    return this.#keyOf.has(generationId)
  }

  queueFor(apiKeyId: string): RenderQueue {
    return this.#count(apiKeyId) < maxInBatch ? 'batch' : 'backlog'
  }

  /** Throws QUEUE_FULL if the queue is full, or the API key has its share of it. `queued`: of all keys and gateways. */
  check(apiKeyId: string, queued: number, maxQueued: number): void {
    const free = maxQueued - queued
    if (free <= 0) fail('QUEUE_FULL', `The queue is full: ${maxQueued} generations are waiting; retry later`)
    const count = this.#count(apiKeyId)
    if (count >= timesFree * free) {
      fail(
        'QUEUE_FULL',
        `This API key has its share of the queue: ${count} of its generations are waiting; retry later`,
      )
    }
  }

  #count(apiKeyId: string): number {
    return this.#counts.get(apiKeyId) ?? 0
  }
}
