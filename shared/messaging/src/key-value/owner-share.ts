import { mayHaveMore, type Share } from '@platen/foundation/runtime/share.ts'
import type { LazyBucket } from './lazy-bucket.ts'

/** The share is of how many fit into the bucket. */
export interface OwnerShareOptions extends Share {
  /** The beginning of the keys of its entries, such as `bytes`. */
  name: string
  /** What is counted is counted until the end of such a period. */
  periodMs: number
  /** What one that is counted takes of the bucket, in bytes. */
  bytesOfOne: number
}

/** What counts towards the share of the owner, and until when. */
export interface Counted {
  ownerId: string
  amount: number
  untilMs: number
}

/** What is counted, by the period since the epoch in which it is counted no more. */
type Counts = Record<string, number>

/**
 * Counts what each owner has of a bucket, in an entry of the bucket itself: all processes share it, and a restart forgets nothing.
 * What was counted and is not there, because a process crashed in between, counts until its time.
 */
export class OwnerShare {
  readonly #bucket: LazyBucket
  readonly #options: OwnerShareOptions
  /** Changes of this process are made one after another: at once they would conflict. */
  readonly #changing = new Map<string, Promise<boolean>>()

  constructor(bucket: LazyBucket, options: OwnerShareOptions) {
    this.#bucket = bucket
    this.#options = options
  }

  /** Resolves to false, without an effect, if the owner would have more than its share. Throws BusUnavailable. */
  take({ ownerId, amount, untilMs }: Counted): Promise<boolean> {
    return this.#change(ownerId, untilMs, amount)
  }

  /** Throws BusUnavailable. */
  async giveBack({ ownerId, amount, untilMs }: Counted): Promise<void> {
    if (untilMs > this.#bucket.now()) await this.#change(ownerId, untilMs, -amount)
  }

  #change(ownerId: string, untilMs: number, by: number): Promise<boolean> {
    const change = (this.#changing.get(ownerId) ?? Promise.resolve(true))
      .catch(() => true)
      .then(() => this.#write(ownerId, untilMs, by))
    this.#changing.set(ownerId, change)
    const forget = () => {
      if (this.#changing.get(ownerId) === change) this.#changing.delete(ownerId)
    }
    change.then(forget, forget)
    return change
  }

  async #write(ownerId: string, untilMs: number, by: number): Promise<boolean> {
    const { name, periodMs, bytesOfOne } = this.#options
    const key = `${name}.${ownerId}`
    const period = String(Math.ceil(untilMs / periodMs))
    const free = by > 0 ? (await this.#bucket.freeBytes()) / bytesOfOne : 0
    for (;;) {
      const { value = '{}', revision } = await this.#bucket.readCurrent(key)
      const now = this.#bucket.now() / periodMs
      const counted = Object.entries(JSON.parse(value) as Counts).filter(([until]) => Number(until) > now)
      const has = counted.reduce((total, [, amount]) => total + amount, 0)
      if (by > 0 && !mayHaveMore(this.#options, { has, more: by, free })) return false
      const all = Object.fromEntries(counted)
      const changed = { ...all, [period]: Math.max(0, (all[period] ?? 0) + by) }
      if ((await this.#bucket.write(key, JSON.stringify(changed), revision)) !== undefined) return true
    }
  }
}
