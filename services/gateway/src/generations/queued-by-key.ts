import { fail } from '@platen/domain/http/errors.ts'
import type { DocumentQueue } from '@platen/domain/streams/subjects.ts'
import type { Claim } from '@platen/foundation/runtime/fair-shares.ts'

/** The asynchronous generations of an API key in the queue `batch`. Later ones go to the overflow queue `backlog`. */
const maxInBatch = 8
/** One API key alone may fill nine tenths of the queue: at most nine times as many places as are free. The rest is for other keys. */
const timesFree = 9
/** One owner alone may fill 99 %: its other API keys have room beside one that has reached its limit. */
const timesFreeOfOwner = 99

/** The asynchronous generations that this gateway has queued and that have not ended, by API key and owner. */
export class QueuedByKey {
  readonly #claimOf = new Map<string, Claim>()
  readonly #keys = new Counts()
  readonly #owners = new Counts()

  added(claim: Claim, generationId: string): void {
    if (this.#claimOf.has(generationId)) return
    this.#claimOf.set(generationId, claim)
    this.#keys.add(claim.key, 1)
    this.#owners.add(claim.owner, 1)
  }

  /** To be called when a generation has ended, also if another gateway has queued it. */
  ended(generationId: string): void {
    const claim = this.#claimOf.get(generationId)
    if (claim === undefined) return
    this.#claimOf.delete(generationId)
    this.#keys.add(claim.key, -1)
    this.#owners.add(claim.owner, -1)
  }

  has(generationId: string): boolean {
    return this.#claimOf.has(generationId)
  }

  queueFor(apiKeyId: string): DocumentQueue {
    return this.#keys.of(apiKeyId) < maxInBatch ? 'batch' : 'backlog'
  }

  /**
   * Throws QUEUE_FULL if the queue is full, or the API key or owner has reached its limit. `queued`: the count of all
   * keys and gateways.
   */
  check({ owner, key }: Claim, queued: number, maxQueued: number): void {
    const free = maxQueued - queued
    if (free <= 0) fail('QUEUE_FULL', `The queue is full: ${maxQueued} generations are waiting; retry later`)
    const share = (who: string, count: number) =>
      fail(
        'QUEUE_FULL',
        `This ${who} has reached its limit of the queue: ${count} of its generations are waiting; retry later`,
      )
    if (this.#keys.of(key) >= timesFree * free) share('API key', this.#keys.of(key))
    if (this.#owners.of(owner) >= timesFreeOfOwner * free) share('owner', this.#owners.of(owner))
  }
}

class Counts {
  readonly #counts = new Map<string, number>()

  of(name: string): number {
    return this.#counts.get(name) ?? 0
  }

  add(name: string, more: number): void {
    const count = this.of(name) + more
    if (count > 0) this.#counts.set(name, count)
    else this.#counts.delete(name)
  }
}
