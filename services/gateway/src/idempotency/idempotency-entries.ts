import { buckets } from '@platen/shared/messaging/buckets.ts'
import type { Bus } from '@platen/shared/messaging/bus.ts'
import { LazyBucket } from '@platen/shared/messaging/lazy-bucket.ts'
import { isWrongSequence } from '@platen/shared/messaging/wrong-sequence.ts'
import type { KV } from 'nats'
import { requireConnected } from '../messaging/require-connected.ts'

export interface SentResponse {
  status: number
  headers: Record<string, string>
  body: unknown
}

/** The record of the first request with an Idempotency-Key. */
export interface IdempotencyEntry {
  body_sha256: string
  /** When the first request arrived. Ids are derived from it. */
  time_ms: number
  /** Absent until the first request has succeeded, and for a finished generation, whose URL is signed again. */
  response?: SentResponse
  /** Set once a repeated request uses the ids, too: it may send the command, so that the first must not free the key. */
  shared?: true
}

/** Stores entries in the JetStream bucket IDEMPOTENCY, which all gateways share. Its methods throw BusUnavailable. */
export class IdempotencyEntries<Entry extends object = IdempotencyEntry> {
  readonly #bus: Bus
  readonly #bucket: LazyBucket

  constructor(bus: Bus) {
    this.#bus = bus
    this.#bucket = new LazyBucket(bus, buckets.idempotency)
  }

  /** Creates the entry, or returns the existing one. `revision` is the one of the returned entry. */
  claim(key: string, entry: Entry): Promise<{ entry: Entry; revision: number; first: boolean }> {
    return this.#use(async (bucket) => {
      for (;;) {
        const revision = await unlessChanged(bucket.create(key, JSON.stringify(entry)))
        if (revision !== undefined) return { entry, revision, first: true }
        const found = await bucket.get(key)
        // An entry that was deleted since the create is free: try to create it again.
        if (found?.operation === 'PUT') return { entry: found.json<Entry>(), revision: found.revision, first: false }
      }
    })
  }

  /** Returns the new revision; undefined, without an effect, if a concurrent request has changed the entry. */
  update(key: string, entry: Entry, revision: number): Promise<number | undefined> {
    return this.#use((bucket) => unlessChanged(bucket.update(key, JSON.stringify(entry), revision)))
  }

  /** Does nothing if a concurrent request with the same key has changed the entry. */
  async delete(key: string, revision: number): Promise<void> {
    await this.#use((bucket) => unlessChanged(bucket.delete(key, { previousSeq: revision })))
  }

  async #use<Result>(work: (bucket: KV) => Promise<Result>): Promise<Result> {
    requireConnected(this.#bus)
    return this.#bucket.use(work)
  }
}

/** Undefined if the entry is not at the expected revision. */
async function unlessChanged<Result>(change: Promise<Result>): Promise<Result | undefined> {
  return change.catch((err) => {
    if (!isWrongSequence(err)) throw err
    return undefined
  })
}
