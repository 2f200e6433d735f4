import { buckets, openBucket } from '@platen/shared/messaging/buckets.ts'
import { asBusUnavailable, type Bus } from '@platen/shared/messaging/bus.ts'
import { isWrongSequence } from '@platen/shared/messaging/wrong-sequence.ts'
import type { KV } from 'nats'
import { requireConnected } from '../messaging/require-connected.ts'

/** An answer as it was sent. */
export interface SentAnswer {
  status: number
  headers: Record<string, string>
  body: unknown
}

/** What is remembered of the first request with a key. */
export interface IdempotencyEntry {
  body_sha256: string
  /** The ids of what it makes derive from this. */
  time_ms: number
  /** Once it is known. */
  answer?: SentAnswer
}

export interface IdempotencyEntries {
  /** Leaves this entry, or finds the one that was there first. `revision` is the entry's own. Throws BusUnavailable. */
  claim(key: string, entry: IdempotencyEntry): Promise<{ entry: IdempotencyEntry; revision: number; first: boolean }>
  update(key: string, entry: IdempotencyEntry, revision: number): Promise<void>
  delete(key: string, revision: number): Promise<void>
}

/** In the JetStream bucket IDEMPOTENCY, so that every gateway knows every key. */
export function idempotencyEntries(bus: Bus): IdempotencyEntries {
  let opened: Promise<KV> | undefined
  const bucket = async () => {
    requireConnected(bus)
    opened ??= openBucket(bus, buckets.idempotency)
    try {
      return await opened
    } catch (err) {
      opened = undefined
      throw asBusUnavailable(err)
    }
  }
  return {
    async claim(key, entry) {
      const entries = await bucket()
      for (;;) {
        try {
          return { entry, revision: await entries.create(key, JSON.stringify(entry)), first: true }
        } catch (err) {
          if (!isWrongSequence(err)) throw asBusUnavailable(err)
        }
        const found = await entries.get(key).catch((err) => {
          throw asBusUnavailable(err)
        })
        // Forgotten in between: it is free again.
        if (found?.operation === 'PUT') return { entry: found.json(), revision: found.revision, first: false }
      }
    },
    async update(key, entry, revision) {
      await unlessOutrun((await bucket()).update(key, JSON.stringify(entry), revision))
    },
    async delete(key, revision) {
      await unlessOutrun((await bucket()).delete(key, { previousSeq: revision }))
    },
  }
}

/** Another attempt with the key was quicker, and its word is as good. */
async function unlessOutrun(change: Promise<unknown>): Promise<void> {
  await change.catch((err) => {
    if (!isWrongSequence(err)) throw err
  })
}
