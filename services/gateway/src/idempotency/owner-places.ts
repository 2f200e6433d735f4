import { DomainError } from '@platen/domain/http/errors.ts'
import { buckets } from '@platen/domain/streams/buckets.ts'
import { LruCache } from '@platen/foundation/runtime/lru-cache.ts'
import { ask } from '@platen/messaging/connection/ask.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import { streamOfBucket } from '@platen/messaging/key-value/bucket.ts'
import type { LazyBucket } from '@platen/messaging/key-value/lazy-bucket.ts'

/**
 * An owner may use this many times the free space of the bucket, so that there is always room for owners that use none.
 */
const timesFree = 9
/** More than an entry has with its subject and its headers. */
const entryBytes = 512
/** A gateway reserves this many places of an owner at once, so that it counts once for a hundred entries. */
const atOnce = 100
const hourMs = 3_600_000
const { ttlMs, maxBytes } = buckets.idempotency

/** The places that all gateways have taken for an owner, by the hour since the epoch. */
type Taken = Record<string, number>

/**
 * Shares the bucket IDEMPOTENCY between owners, which a gateway cannot count: it has an entry for each key of a day. What an owner
 * has taken is an entry of the bucket itself.
 */
export class OwnerPlaces {
  readonly #bus: Bus
  readonly #bucket: LazyBucket
  /** Places that this gateway has reserved and not used. */
  readonly #left = new LruCache<number>({ maxCount: 10_000, maxWeight: Number.POSITIVE_INFINITY })
  readonly #taking = new Map<string, Promise<void>>()

  constructor(bus: Bus, bucket: LazyBucket) {
    this.#bus = bus
    this.#bucket = bucket
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
    const key = `places.${ownerId}`
    for (;;) {
      const hour = Math.floor(Date.now() / hourMs)
      const { value = '{}', revision } = await this.#bucket.read(key)
      const all = Object.entries(JSON.parse(value) as Taken)
      const taken = Object.fromEntries(all.filter(([at]) => Number(at) >= hour - ttlMs / hourMs))
      const sum = Object.values(taken).reduce((total, count) => total + count, 0)
      const left = Math.floor((timesFree * (await this.#free())) / entryBytes) - sum
      if (left < 1) throw hasItsShare(sum)
      // Reserved places are not in the bucket yet, and other gateways reserve from the same.
      const more = Math.min(atOnce, Math.ceil(left / 10))
      const now = { ...taken, [hour]: (taken[hour] ?? 0) + more }
      if ((await this.#bucket.write(key, JSON.stringify(now), revision)) === undefined) continue
      this.#left.set(ownerId, this.#leftOf(ownerId) + more)
      return
    }
  }

  /** The bytes that are free in the bucket. */
  async #free(): Promise<number> {
    const { config, state } = await ask(this.#bus, () =>
      this.#bus.queries.streams.info(streamOfBucket(buckets.idempotency)),
    )
    const most = config.max_bytes > 0 ? config.max_bytes : maxBytes
    return Math.max(0, most - state.bytes)
  }
}

function hasItsShare(count: number): DomainError {
  const message = `The owner of this API key has its share of the Idempotency-Keys: ${count} in 24 hours; retry later, or send the request without the header`
  // Keys are forgotten by the hour.
  const retry_after_s = Math.ceil((hourMs - (Date.now() % hourMs)) / 1_000)
  return new DomainError('RATE_LIMITED', message, { details: { retry_after_s } })
}
