import { FairQueue, type QueuedClaim } from '@platen/foundation/runtime/fair-queue.ts'
import type { Usage } from '@platen/foundation/runtime/usage.ts'
import { BodyPlaces } from './body-places.ts'
import { patience, type WorkRequest } from './patience.ts'
import { rests } from './rests.ts'

type Claim = QueuedClaim<'work'>

/** Requests of one owner that the gateway works on while other owners send some. */
const atOnceOfOwner = 2
/** The most requests of an API key in progress while other keys of its owner send some. */
const atOnceOfKey = 4
/** An owner that sent a request within this time and has no queue counts as a visitor. */
const visitorMs = 500

/**
 * Limits the requests of any kind that an owner or API key has in progress, so that others get time of the gateway's
 * event loop, the template services and the event store. There is no limit while nobody else is active.
 */
export class WorkLimiter {
  readonly #queue: FairQueue<'work'>
  readonly #places: BodyPlaces

  constructor(now?: () => number) {
    const mayBegin = (claim: Claim, hasWaited: boolean) => this.#mayBegin(claim, hasWaited)
    this.#queue = new FairQueue({ kinds: ['work'], mayBegin, now })
    this.#places = new BodyPlaces({ mustYield: (owner) => this.#queue.shares.owners.mustYield(owner) })
  }

  /** Waits for the slot of the request, which ends on disposal. Throws CONCURRENCY_LIMIT_EXCEEDED, or the reason of `disconnected`. */
  async take({ ownerId: owner, apiKeyId: key, disconnected: signal }: WorkRequest): Promise<Disposable> {
    return await this.#queue.take({ owner, key, kind: 'work' }, { signal, limit: patience })
  }

  /**
   * Waits until a large body may arrive. Its place ends on disposal. A request that waits here makes its owner compete
   * with others. Throws CONCURRENCY_LIMIT_EXCEEDED, or the reason of `disconnected`.
   */
  async takePlace(request: WorkRequest): Promise<Disposable> {
    const claim = { owner: request.ownerId, key: request.apiKeyId }
    const { shares } = this.#queue
    using waiting = new DisposableStack()
    shares.enter(claim)
    waiting.defer(() => shares.leave(claim))
    return await this.#places.take(request)
  }

  /**
   * Counts a body that is in memory, because it is being read or waits for its slot, until disposal. Throws
   * CONCURRENCY_LIMIT_EXCEEDED.
   */
  hold(ownerId: string, bytes: number): Disposable {
    return this.#places.hold(ownerId, bytes)
  }

  /** Whether a visitor is there beside the owner of an API key that has a slot. */
  hasVisitor(apiKeyId: string): boolean {
    const owner = this.#queue.ownerIn({ kind: 'work', key: apiKeyId })
    return owner !== undefined && this.#queue.shares.owners.hasVisitor(owner, visitorMs)
  }

  #mayBegin(claim: Claim, hasWaited: boolean): boolean {
    const { keys, owners } = this.#queue.shares
    const { busy, waiting } = this.#queue.ofOwner(claim)
    const bodies = this.#places.waiting(claim.owner)
    // Otherwise the first request of each of many keys would begin at once.
    const ofOwner = { busy, atOnce: atOnceOfOwner, hasWaited: hasWaited || waiting + bodies > 1 }
    const ofKey = { busy: this.#queue.busyIn(claim), atOnce: atOnceOfKey, hasWaited: false }
    return isInShare(keys, claim.key, ofKey) && isInShare(owners, claim.owner, ofOwner)
  }
}

interface Use {
  busy: number
  atOnce: number
  /** The claim, or more of the same. */
  hasWaited: boolean
}

function isInShare(usage: Usage, id: string, { busy, atOnce, hasWaited }: Use): boolean {
  if (!usage.mustYield(id)) return true
  // A visitor may come again at any moment, and then shares the event loop with what runs.
  const leavesSlot = hasWaited && rests(usage, id) && usage.hasVisitor(id, visitorMs)
  return busy < atOnce && !leavesSlot
}
