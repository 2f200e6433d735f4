import { buckets, openBucket } from '@platen/shared/messaging/buckets.ts'
import { asBusUnavailable, type Bus } from '@platen/shared/messaging/bus.ts'
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
  /** Absent until the first request has succeeded. */
  response?: SentResponse
}

/** Stores entries in the JetStream bucket IDEMPOTENCY, which all gateways share. */
export class IdempotencyEntries {
  readonly #bus: Bus
  #opening: Promise<KV> | undefined

  constructor(bus: Bus) {
    this.#bus = bus
  }

  /** Creates the entry, or returns the existing one. `revision` is the one of the returned entry. Throws BusUnavailable. */
  async claim(
    key: string,
    entry: IdempotencyEntry,
  ): Promise<{ entry: IdempotencyEntry; revision: number; first: boolean }> {
    const bucket = await this.#bucket()
    for (;;) {
      try {
        return { entry, revision: await bucket.create(key, JSON.stringify(entry)), first: true }
      } catch (err) {
        if (!isWrongSequence(err)) throw asBusUnavailable(err)
      }
      const found = await bucket.get(key).catch((err) => {
        throw asBusUnavailable(err)
      })
      // An entry that was deleted since the create is free: try to create it again.
      if (found?.operation === 'PUT') return { entry: found.json(), revision: found.revision, first: false }
    }
  }

  async update(key: string, entry: IdempotencyEntry, revision: number): Promise<void> {
    const bucket = await this.#bucket()
    await ignoreWrongSequence(bucket.update(key, JSON.stringify(entry), revision))
  }

  async delete(key: string, revision: number): Promise<void> {
    const bucket = await this.#bucket()
    await ignoreWrongSequence(bucket.delete(key, { previousSeq: revision }))
  }

  async #bucket(): Promise<KV> {
    requireConnected(this.#bus)
    this.#opening ??= openBucket(this.#bus, buckets.idempotency)
    try {
      return await this.#opening
    } catch (err) {
      this.#opening = undefined
      throw asBusUnavailable(err)
    }
  }
}

/** A concurrent request with the same key has changed the entry. Its change is as valid as this one. */
async function ignoreWrongSequence(change: Promise<unknown>): Promise<void> {
  await change.catch((err) => {
    if (!isWrongSequence(err)) throw err
  })
}
