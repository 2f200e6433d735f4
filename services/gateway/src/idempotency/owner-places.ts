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
  readonly #bucket: LazyBucket
  readonly #share: OwnerShare
  /** Places that this gateway has taken in an hour and not used. In another hour an entry would outlive its place. */
  readonly #left = new LruCache<Left>({ maxCount: 10_000, maxWeight: Number.POSITIVE_INFINITY })
  readonly #taking = new Map<string, Promise<void>>()

  constructor(bucket: LazyBucket) {
    this.#bucket = bucket
    this.#share = new OwnerShare(bucket, { name: 'places', periodMs: hourMs, bytesOfOne: entryBytes, timesFree })
  }

  /** Resolves to the hour of the place. Throws DomainError RATE_LIMITED if the owner has its share, and BusUnavailable. */
  async take(ownerId: string): Promise<number> {
    let hour = this.#hour()
    for (; this.#leftOf(ownerId, hour) <= 0; hour = this.#hour()) {
      const taking = this.#taking.get(ownerId) ?? this.#takeMore(ownerId).finally(() => this.#taking.delete(ownerId))
      this.#taking.set(ownerId, taking)
      await taking
    }
    this.#add(ownerId, hour, -1)
    return hour
  }

  /** The entry was not made. `hour`: as `take` has resolved. */
  giveBack(ownerId: string, hour: number): void {
    if (hour === this.#hour()) this.#add(ownerId, hour, 1)
  }

  #leftOf(ownerId: string, hour: number): number {
    const left = this.#left.get(ownerId)
    return left?.hour === hour ? left.count : 0
  }

  #add(ownerId: string, hour: number, count: number): void {
    this.#left.set(ownerId, { hour, count: this.#leftOf(ownerId, hour) + count })
  }

  /** The end of the present hour, in hours since the epoch. */
  #hour(): number {
    return Math.floor(this.#bucket.now() / hourMs) + 1
  }

  async #takeMore(ownerId: string): Promise<void> {
    for (const amount of atOnce) {
      const hour = this.#hour()
      if (!(await this.#share.take({ ownerId, amount, untilMs: hour * hourMs + ttlMs }))) continue
      if (hour === this.#hour()) this.#add(ownerId, hour, amount)
      return
    }
    throw hasItsShare(this.#bucket.now())
  }
}

interface Left {
  hour: number
  count: number
}

function hasItsShare(nowMs: number): DomainError {
  const message =
    'The owner of this API key has its share of the Idempotency-Keys of 24 hours; retry later, or send the request without the header'
  // Keys are forgotten by the hour.
  const retry_after_s = Math.ceil((hourMs - (nowMs % hourMs)) / 1_000)
  return new DomainError('RATE_LIMITED', message, { details: { retry_after_s } })
}
