import { DomainError } from '@platen/domain/http/errors.ts'
import { buckets } from '@platen/domain/streams/buckets.ts'
import { LruCache } from '@platen/foundation/runtime/lru-cache.ts'
import type { LazyBucket } from '@platen/messaging/key-value/lazy-bucket.ts'
import { OwnerShare } from '@platen/messaging/key-value/owner-share.ts'

/**
 * An owner may use this many times the free space of the bucket, so that there is always room for owners that use none.
 */
const timesFree = 9
/** More than an entry has with its subject and its headers. */
const entryBytes = 512
/** A gateway takes as many places of an owner at once as it can, so that it counts once for a hundred entries. */
const atOnce = [100, 10, 1]
const hourMs = 3_600_000
const { ttlMs } = buckets.idempotency

/** Shares the bucket IDEMPOTENCY between owners, which a gateway cannot count: it has an entry for each key of a day. */
export class OwnerPlaces {
  readonly #share: OwnerShare
  /** Places that this gateway has taken and not used. */
  readonly #left = new LruCache<number>({ maxCount: 10_000, maxWeight: Number.POSITIVE_INFINITY })
  readonly #taking = new Map<string, Promise<void>>()

  constructor(bucket: LazyBucket) {
    this.#share = new OwnerShare(bucket, { name: 'places', periodMs: hourMs, bytesOfOne: entryBytes, timesFree })
  }

  /** Throws DomainError RATE_LIMITED if the owner has its share, and BusUnavailable. */
  async take(ownerId: string): Promise<void> {
    for (let left = this.#leftOf(ownerId); left === 0; left = this.#leftOf(ownerId)) {
      const taking = this.#taking.get(ownerId) ?? this.#takeMore(ownerId).finally(() => this.#taking.delete(ownerId))
      this.#taking.set(ownerId, taking)
      await taking
    }
    this.#left.set(ownerId, this.#leftOf(ownerId) - 1)
  }

  /** The entry was not made. */
  giveBack(ownerId: string): void {
    this.#left.set(ownerId, this.#leftOf(ownerId) + 1)
  }

  #leftOf(ownerId: string): number {
    return this.#left.get(ownerId) ?? 0
  }

  async #takeMore(ownerId: string): Promise<void> {
    for (const amount of atOnce) {
      if (!(await this.#share.take({ ownerId, amount, untilMs: Date.now() + ttlMs }))) continue
      this.#left.set(ownerId, this.#leftOf(ownerId) + amount)
      return
    }
    throw hasItsShare()
  }
}

function hasItsShare(): DomainError {
  const message =
    'The owner of this API key has its share of the Idempotency-Keys of 24 hours; retry later, or send the request without the header'
  // Keys are forgotten by the hour.
  const retry_after_s = Math.ceil((hourMs - (Date.now() % hourMs)) / 1_000)
  return new DomainError('RATE_LIMITED', message, { details: { retry_after_s } })
}
