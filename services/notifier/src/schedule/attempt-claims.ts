import { buckets } from '@platen/domain/streams/buckets.ts'
import { LruCache } from '@platen/foundation/runtime/lru-cache.ts'
import { Unchanged } from '@platen/foundation/runtime/unchanged.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import { LazyBucket } from '@platen/messaging/key-value/lazy-bucket.ts'

/** A claim that has not changed for this time has no holder any more, and another notifier makes the attempt. */
const claimMs = 10_000

interface ClaimEntry {
  /** The process that has the claim. */
  holder: string
  /**
   * How often the attempt was claimed. After each claim but the last, the process stopped before it recorded the
   * outcome.
   */
  times: number
}

/** The right to make an attempt, renewed until it is disposed of. It can be lost while NATS is unavailable. */
export interface AttemptClaim extends Disposable {
  /** How often the attempt was claimed, by any notifier. */
  readonly times: number
  /** Frees a claim whose attempt was not made. If that fails, the claim expires. */
  release(): Promise<void>
}

export interface ClaimOptions {
  /**
   * Whether the holder of a claim has certainly ended. If so, its first claim of an attempt is taken over at once.
   * Default: unknown.
   */
  hasEnded?: (holder: string) => boolean
  /** Default: 10 s. */
  ms?: number
}

/** Decides which notifier makes an attempt. A claim is a key in the bucket DELIVERY_CLAIMS. */
export class AttemptClaims {
  readonly #bucket: LazyBucket
  readonly #holder: string
  readonly #hasEnded: (holder: string) => boolean
  readonly #claimMs: number
  readonly #seen = new LruCache<Unchanged>({ maxCount: 10_000, maxWeight: Number.POSITIVE_INFINITY })

  constructor(bus: Bus, holder: string, { hasEnded = () => false, ms = claimMs }: ClaimOptions = {}) {
    this.#bucket = new LazyBucket(bus, buckets.deliveryClaims)
    this.#holder = holder
    this.#hasEnded = hasEnded
    this.#claimMs = ms
  }

  /** If there is a claim already, the time until it is taken over unless it changes. Throws BusUnavailable. */
  async take(id: string, attempt: number): Promise<AttemptClaim | { heldForMs: number }> {
    const key = `${id}.${attempt}`
    const { value, revision } = await this.#bucket.read(key)
    const before = value === undefined ? undefined : (JSON.parse(value) as ClaimEntry)
    const heldForMs = before ? this.#heldForMs(key, revision, before) : 0
    if (heldForMs > 0) return { heldForMs }
    const times = (before?.times ?? 0) + 1
    const taken = await this.#bucket.write(key, this.#entry(times), revision)
    return taken === undefined ? { heldForMs: this.#claimMs } : this.#hold(key, times, taken)
  }

  /** A process that is killed again and again soon after its start must not give up a delivery within seconds. */
  #heldForMs(key: string, revision: number, { holder, times }: ClaimEntry): number {
    if (times === 1 && this.#hasEnded(holder)) return 0
    const unchanged = this.#seen.get(key) ?? new Unchanged()
    this.#seen.set(key, unchanged)
    return this.#claimMs - unchanged.forMs(revision)
  }

  #entry(times: number): string {
    return JSON.stringify({ holder: this.#holder, times } satisfies ClaimEntry)
  }

  #hold(key: string, times: number, firstRevision: number): AttemptClaim {
    let revision = firstRevision
    const renew = async () => {
      revision = (await this.#bucket.write(key, this.#entry(times), revision)) ?? revision
    }
    const timer = setInterval(() => renew().catch(() => {}), this.#claimMs / 3)
    return {
      times,
      // A claim that was lost belongs to another process.
      release: () => this.#bucket.delete(key, revision).catch(() => {}),
      [Symbol.dispose]: () => clearInterval(timer),
    }
  }
}
