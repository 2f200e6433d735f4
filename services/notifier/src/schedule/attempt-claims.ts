import { buckets, openBucket } from '@platen/shared/messaging/buckets.ts'
import { asBusUnavailable, type Bus } from '@platen/shared/messaging/bus.ts'
import { isWrongSequence } from '@platen/shared/messaging/wrong-sequence.ts'
import type { KV } from 'nats'

/** Who makes an attempt, over all notifiers. */
export interface AttemptClaims {
  /** False when another notifier has it. Throws BusUnavailable. */
  take(id: string, attempt: number): Promise<boolean>
  /** Gives back what was not used. */
  release(id: string, attempt: number): Promise<void>
}

/** Claims are keys of the bucket DELIVERY_CLAIMS. A claim that is taken is kept until it expires, done or not. */
export function openAttemptClaims(
  bus: Bus,
  holder: string,
  ttlMs: number = buckets.deliveryClaims.ttlMs,
): AttemptClaims {
  let opening: Promise<KV> | undefined
  const withBucket = async <Result>(work: (bucket: KV) => Promise<Result>): Promise<Result> => {
    try {
      opening ??= openBucket(bus, { ...buckets.deliveryClaims, ttlMs })
      return await work(await opening)
    } catch (err) {
      // The bucket may be gone for good (deleted by hand, an empty broker): it is made again.
      opening = undefined
      throw asBusUnavailable(err)
    }
  }
  return {
    take: (id, attempt) =>
      withBucket(async (bucket) => {
        try {
          await bucket.create(keyOf(id, attempt), holder)
          return true
        } catch (err) {
          if (isWrongSequence(err)) return false
          throw err
        }
      }),
    release: (id, attempt) => withBucket((bucket) => bucket.delete(keyOf(id, attempt))).catch(() => {}),
  }
}

const keyOf = (id: string, attempt: number) => `${id}.${attempt}`
