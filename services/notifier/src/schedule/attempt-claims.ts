import { buckets } from '@platen/shared/messaging/buckets.ts'
import type { Bus } from '@platen/shared/messaging/bus.ts'
import { LazyBucket } from '@platen/shared/messaging/lazy-bucket.ts'
import { isWrongSequence } from '@platen/shared/messaging/wrong-sequence.ts'

/**
 * Decides which notifier makes an attempt. A claim is a key in the bucket DELIVERY_CLAIMS, and is kept until it expires,
 * also after the attempt.
 */
export class AttemptClaims {
  readonly #bucket: LazyBucket
  readonly #holder: string

  constructor(bus: Bus, holder: string, ttlMs: number = buckets.deliveryClaims.ttlMs) {
    this.#bucket = new LazyBucket(bus, { ...buckets.deliveryClaims, ttlMs })
    this.#holder = holder
  }

  /** False if a notifier has claimed the attempt before. Throws BusUnavailable. */
  take(id: string, attempt: number): Promise<boolean> {
    return this.#bucket.use(async (bucket) => {
      try {
        await bucket.create(keyOf(id, attempt), this.#holder)
        return true
      } catch (err) {
        if (isWrongSequence(err)) return false
        throw err
      }
    })
  }

  /** Frees a claim whose attempt was not made. If that fails, the claim expires. */
  async release(id: string, attempt: number): Promise<void> {
    await this.#bucket.use((bucket) => bucket.delete(keyOf(id, attempt))).catch(() => {})
  }
}

const keyOf = (id: string, attempt: number) => `${id}.${attempt}`
