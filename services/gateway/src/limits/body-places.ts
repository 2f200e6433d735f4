import { FairQueue, type QueuedClaim } from '@platen/foundation/runtime/fair-queue.ts'
import { Places } from '@platen/foundation/runtime/places.ts'
import { patience, tooManyRequests, type WorkRequest } from './patience.ts'

/** The maximum of large bodies of one owner that arrive, or wait for a slot, while other owners send requests. */
const atOnce = 2
/** How long a slow client keeps its place. Then it no longer delays others of its owner. */
const defaultMaxPlaceMs = 2_000
/** The bytes of bodies that have arrived and wait, or are read, of all owners and of one. */
const heldBytes = { all: 256 * 2 ** 20, atMost: 32 * 2 ** 20 }

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
  readonly #held = new Places(heldBytes)

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
    const held = this.#held.take(owner, bytes)
    if (!held) throw tooManyRequests()
    return held
  }
}
