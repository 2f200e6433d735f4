import { fail } from '@platen/domain/http/errors.ts'
import type { RenderQueue } from '@platen/domain/streams/subjects.ts'
import type { Claim } from '@platen/foundation/runtime/fair-shares.ts'

/** As many asynchronous generations of an API key are in the queue `batch`. Later ones wait in `backlog`. */
const maxInBatch = 8
/** An API key may have this many times as much of the queue as is free. So there is room for one that has nothing in it. */
const timesFree = 9
/** The same for an owner: more, so that a key of it that has filled its share leaves room for its others. */
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

  /** To be called when a generation has ended, whoever has queued it. */
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

  queueFor(apiKeyId: string): RenderQueue {
    return this.#keys.of(apiKeyId) < maxInBatch ? 'batch' : 'backlog'
  }

  /** Throws QUEUE_FULL if the queue is full, or the API key or owner has its share of it. `queued`: of all keys and gateways. */
  check({ owner, key }: Claim, queued: number, maxQueued: number): void {
    const free = maxQueued - queued
    if (free <= 0) fail('QUEUE_FULL', `The queue is full: ${maxQueued} generations are waiting; retry later`)
    const share = (who: string, count: number) =>
      fail('QUEUE_FULL', `This ${who} has its share of the queue: ${count} of its generations are waiting; retry later`)
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
