import { buckets } from '@platen/domain/streams/buckets.ts'
import { sleep } from '@platen/foundation/runtime/sleep.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import { LazyBucket } from '@platen/messaging/key-value/lazy-bucket.ts'
import { OwnerPlaces } from './owner-places.ts'

/** The record of the first request with an Idempotency-Key. What it has led to is read where that is recorded. */
export interface IdempotencyEntry {
  body_sha256: string
  /** The id of the resource that the request creates. The id of its command is derived from it. */
  id: string
  /**
   * Set when a repeated request uses the ids, too. The first request must then not release the key, as the other one
   * may send the command.
   */
  shared?: true
}

export interface EntryKey {
  ownerId: string
  /** A hash of the owner, the route and the Idempotency-Key. */
  key: string
}

export interface ClaimedEntry {
  entry: IdempotencyEntry
  revision: number
  /** Whether this claim has created the entry. */
  first: boolean
}

/** Stores entries in the JetStream bucket IDEMPOTENCY, which all gateways share. Its methods throw BusUnavailable. */
export class IdempotencyEntries {
  readonly #bucket: LazyBucket
  readonly #places: OwnerPlaces

  constructor(bus: Bus) {
    this.#bucket = new LazyBucket(bus, buckets.idempotency)
    this.#places = new OwnerPlaces(this.#bucket)
  }

  /**
   * Creates the entry, or returns the existing one with its `revision`. Throws DomainError RATE_LIMITED if the owner
   * has used its share of the bucket and the entry does not exist.
   */
  async claim({ ownerId, key }: EntryKey, entry: IdempotencyEntry): Promise<ClaimedEntry> {
    for (;;) {
      const { value, revision } = await this.#bucket.read(key)
      if (value !== undefined) return { entry: JSON.parse(value) as IdempotencyEntry, revision, first: false }
      const hour = await this.#places.take(ownerId)
      const created = await this.#bucket.write(key, JSON.stringify(entry), revision)
      if (created !== undefined) return { entry, revision: created, first: true }
      this.#places.giveBack(ownerId, hour)
      // Another request was faster. In a cluster, a replica that does not know it yet may have answered.
      await sleep(20)
    }
  }

  /** Returns the new revision; undefined, without an effect, if a concurrent request has changed the entry. */
  update(key: string, entry: IdempotencyEntry, revision: number): Promise<number | undefined> {
    return this.#bucket.write(key, JSON.stringify(entry), revision)
  }

  /** Does nothing if a concurrent request with the same key has changed the entry. */
  async delete(key: string, revision: number): Promise<void> {
    await this.#bucket.delete(key, revision)
  }
}
