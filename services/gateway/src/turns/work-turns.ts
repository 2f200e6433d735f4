import { DomainError } from '@platen/domain/http/errors.ts'
import { FairQueue, type QueuedClaim } from '@platen/foundation/runtime/fair-queue.ts'
import type { Usage } from '@platen/foundation/runtime/usage.ts'
import { rests } from './rests.ts'

export interface WorkRequest {
  ownerId: string
  apiKeyId: string
  /** Aborts when the client has disconnected. */
  disconnected: AbortSignal
}

type Claim = QueuedClaim<'work'>

/** Requests of one owner that the gateway works on while other owners send some. */
const atOnceOfOwner = 2
/** Those of an API key while other keys of its owner send some. */
const atOnceOfKey = 4
/** One that was here in this time, and has no queue, is a visitor. */
const visitorMs = 500

/**
 * Lets an owner or API key that sends many requests of any kind leave time to others: all share the event loop of the gateway,
 * the template services and the event store. There is no limit while nobody else is active.
 */
export class WorkTurns {
  readonly #queue: FairQueue<'work'>

  constructor(now?: () => number) {
    const mayBegin = (claim: Claim, hasWaited: boolean) => this.#mayBegin(claim, hasWaited)
    this.#queue = new FairQueue({ kinds: ['work'], mayBegin, now })
  }

  /** Waits for the turn of the request, which ends on disposal. Throws RATE_LIMITED, or the reason of `disconnected`. */
  async take({ ownerId: owner, apiKeyId: key, disconnected: signal }: WorkRequest): Promise<Disposable> {
    return await this.#queue.take({ owner, key, kind: 'work' }, { signal, limit: patience })
  }

  /** Whether a visitor is there beside the owner of an API key that has a turn. */
  hasVisitor(apiKeyId: string): boolean {
    const owner = this.#queue.ownerIn({ kind: 'work', key: apiKeyId })
    return owner !== undefined && this.#queue.shares.owners.hasVisitor(owner, visitorMs)
  }

  /** Whether others than this owner are active. */
  mustYield(ownerId: string): boolean {
    return this.#queue.shares.owners.mustYield(ownerId)
  }

  #mayBegin(claim: Claim, hasWaited: boolean): boolean {
    const { keys, owners } = this.#queue.shares
    const { busy, waiting } = this.#queue.ofOwner(claim)
    // Without this, each of many keys would have its first request begin at once.
    const ofOwner = { busy, atOnce: atOnceOfOwner, hasWaited: hasWaited || waiting > 1 }
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
  const leavesTurn = hasWaited && rests(usage, id) && usage.hasVisitor(id, visitorMs)
  return busy < atOnce && !leavesTurn
}

export function tooManyRequests(): DomainError {
  const message =
    'Too many requests of this owner wait while others send some, and this one was not begun; retry in 1 s'
  return new DomainError('RATE_LIMITED', message, { details: { retry_after_s: 1 } })
}

/** A request that waits longer is refused, so that its client is answered within 5 s. */
export const patience = { ms: 4_500, refusal: tooManyRequests }
