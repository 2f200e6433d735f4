import type { LazyBucket } from '@platen/messaging/key-value/lazy-bucket.ts'

/** How much an owner may keep at once. Its keys then take some 60 MB of the bucket. */
export const mostBytesOfOwner = 4 * 2 ** 30
/** An object takes at least a block of the disk, and a key its place in the bucket. */
const leastBytes = 16 * 1_024
/** What a key takes of the bucket: its message has some 230 bytes. */
const bytesOfKey = 256
const dayMs = 24 * 3_600_000

/** The bytes that an owner keeps, by the day since the epoch on which they are not kept any more. */
type Kept = Record<string, number>

/** What counts towards the share of the owner. */
export interface KeptBytes {
  ownerId: string
  bytes: number
  untilMs: number
}

/**
 * Counts what each owner keeps, in an entry of the bucket of the keys. What was counted and is not stored, because a gateway crashed in
 * between, counts until its day.
 *
 * The keys of an owner may take as much of the bucket as is free. So some of it is always free for an owner that keeps little: one owner
 * alone leaves half of it, two leave a third. (Dynamic queue length thresholds, Choudhury and Hahne 1998, with the factor 1.)
 */
export class OwnerShare {
  readonly #bucket: LazyBucket
  readonly #mostBytes: number
  /** Changes of this process are made one after another: at once they would conflict. */
  readonly #changing = new Map<string, Promise<boolean>>()

  constructor(bucket: LazyBucket, mostBytes = mostBytesOfOwner) {
    this.#bucket = bucket
    this.#mostBytes = mostBytes
  }

  /** Resolves to false, without an effect, if the owner would keep more than its share. Throws BusUnavailable. */
  take({ ownerId, bytes, untilMs }: KeptBytes): Promise<boolean> {
    return this.#change(ownerId, untilMs, Math.max(bytes, leastBytes))
  }

  /** Throws BusUnavailable. */
  async giveBack({ ownerId, bytes, untilMs }: KeptBytes): Promise<void> {
    if (untilMs > Date.now()) await this.#change(ownerId, untilMs, -Math.max(bytes, leastBytes))
  }

  #change(ownerId: string, untilMs: number, by: number): Promise<boolean> {
    const change = (this.#changing.get(ownerId) ?? Promise.resolve(true))
      .catch(() => true)
      .then(() => this.#write(`bytes.${ownerId}`, String(Math.ceil(untilMs / dayMs)), by))
    this.#changing.set(ownerId, change)
    const forget = () => {
      if (this.#changing.get(ownerId) === change) this.#changing.delete(ownerId)
    }
    change.then(forget, forget)
    return change
  }

  async #write(key: string, day: string, by: number): Promise<boolean> {
    const most = by > 0 ? Math.min(this.#mostBytes, await this.#bytesOfFree()) : 0
    for (;;) {
      const { value = '{}', revision } = await this.#bucket.readCurrent(key)
      const today = Date.now() / dayMs
      const kept = Object.entries(JSON.parse(value) as Kept).filter(([until]) => Number(until) > today)
      const sum = kept.reduce((total, [, bytes]) => total + bytes, 0)
      if (by > 0 && sum + by > most) return false
      const all = Object.fromEntries(kept)
      const now = { ...all, [day]: Math.max(0, (all[day] ?? 0) + by) }
      if ((await this.#bucket.write(key, JSON.stringify(now), revision)) !== undefined) return true
    }
  }

  /** The bytes of inputs whose keys take at most what is free of the bucket. */
  async #bytesOfFree(): Promise<number> {
    return (await this.#bucket.freeBytes()) * (leastBytes / bytesOfKey)
  }
}
