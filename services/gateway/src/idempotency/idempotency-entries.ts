import { buckets } from '@platen/domain/streams/buckets.ts'
import { parseExact, stringifyExact } from '@platen/foundation/json/exact-json.ts'
import { sleep } from '@platen/foundation/runtime/sleep.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import { LazyBucket } from '@platen/messaging/key-value/lazy-bucket.ts'

export interface SentResponse {
  status: number
  headers: Record<string, string>
  body: unknown
}

/** The record of the first request with an Idempotency-Key. */
export interface IdempotencyEntry {
  body_sha256: string
  /** Of the resource that the request creates. The id of its command is derived from it. */
  id: string
  /** Absent until the first request has succeeded, and for a finished generation, whose URL is signed again. */
  response?: SentResponse
  /** Set once a repeated request uses the ids, too: it may send the command, so that the first must not free the key. */
  shared?: true
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

  constructor(bus: Bus) {
    this.#bucket = new LazyBucket(bus, buckets.idempotency)
  }

  /** Creates the entry, or returns the existing one. `revision` is the one of the returned entry. */
  async claim(key: string, entry: IdempotencyEntry): Promise<ClaimedEntry> {
    let free = 0
    for (;;) {
      const created = await this.#bucket.write(key, stringifyExact(entry), free)
      if (created !== undefined) return { entry, revision: created, first: true }
      const { value, revision } = await this.#bucket.read(key)
      if (value !== undefined) return { entry: parseExact(value) as IdempotencyEntry, revision, first: false }
      // The entry was deleted. In a cluster, a replica that does not know it yet may have answered.
      if (free === revision) await sleep(20)
      free = revision
    }
  }

  /** Returns the new revision; undefined, without an effect, if a concurrent request has changed the entry. */
  update(key: string, entry: IdempotencyEntry, revision: number): Promise<number | undefined> {
    return this.#bucket.write(key, stringifyExact(entry), revision)
  }

  /** Does nothing if a concurrent request with the same key has changed the entry. */
  async delete(key: string, revision: number): Promise<void> {
    await this.#bucket.delete(key, revision)
  }
}
