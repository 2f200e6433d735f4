import { FairQueue, type QueuedClaim } from '@platen/foundation/runtime/fair-queue.ts'
import { patience, tooManyRequests, type WorkRequest } from './patience.ts'

/** The maximum of large bodies of one owner that arrive, or wait for a slot, while other owners send requests. */
const atOnce = 2
/** How long a slow client keeps its place. Then it no longer delays others of its owner. */
const defaultMaxPlaceMs = 2_000
/** Bodies of one owner that have arrived and wait, or are read. */
const maxHeldBytes = 32 * 1024 * 1024

export interface BodyPlacesOptions {
  /** Whether others than this owner are active. */
  mustYield: (ownerId: string) => boolean
  maxPlaceMs?: number
}

/**
 * While other owners are active, large bodies of an owner are received only as fast as they are worked on. The others stay with
 * their clients, by TCP's flow control: to receive a body and refuse it costs others almost as much as to work on it.
 */
export class BodyPlaces {
  readonly #queue: FairQueue<'body'>
  readonly #maxPlaceMs: number
  /** The bytes of the bodies that wait or are read, by owner. */
  readonly #heldBytes = new Map<string, number>()

  constructor({ mustYield, maxPlaceMs = defaultMaxPlaceMs }: BodyPlacesOptions) {
    this.#maxPlaceMs = maxPlaceMs
    const mayBegin = ({ kind, owner }: QueuedClaim<'body'>) =>
      this.#queue.ofOwner({ kind, owner }).busy < atOnce || !mustYield(owner)
    this.#queue = new FairQueue({ kinds: ['body'], mayBegin })
  }

  /** Waits until the body may arrive. The place ends on disposal. Throws CONCURRENCY_LIMIT_EXCEEDED, or the reason of `disconnected`. */
  async take({ ownerId: owner, apiKeyId: key, disconnected: signal }: WorkRequest): Promise<Disposable> {
    const place = await this.#queue.take({ owner, key, kind: 'body' }, { signal, limit: patience })
    const ended = new DisposableStack()
    ended.use(place)
    const late = setTimeout(() => ended.dispose(), this.#maxPlaceMs).unref()
    ended.defer(() => clearTimeout(late))
    return ended
  }

  /** How many bodies of the owner wait. */
  waiting(owner: string): number {
    return this.#queue.ofOwner({ kind: 'body', owner }).waiting
  }

  /** A body of the owner is in memory until disposal: it waits, or is read. Throws CONCURRENCY_LIMIT_EXCEEDED. */
  hold(owner: string, bytes: number): Disposable {
    const held = this.#heldBytes.get(owner) ?? 0
    if (held > 0 && held + bytes > maxHeldBytes) throw tooManyRequests()
    this.#heldBytes.set(owner, held + bytes)
    return {
      [Symbol.dispose]: () => {
        const left = (this.#heldBytes.get(owner) ?? 0) - bytes
        if (left > 0) this.#heldBytes.set(owner, left)
        else this.#heldBytes.delete(owner)
      },
    }
  }
}
