import { DomainError } from '@platen/domain/http/errors.ts'
import { FairQueue, type QueuedClaim } from '@platen/foundation/runtime/fair-queue.ts'
import type { Usage } from '@platen/foundation/runtime/usage.ts'

export interface LimitedRequest {
  ownerId: string
  apiKeyId: string
  isAsync: boolean
  /** Aborts when the client has disconnected. */
  disconnected: AbortSignal
}

export interface RequestLimiterOptions {
  /** Requests of one API key or owner in progress while others send some; undefined: no limit. */
  atOnce: number | undefined
  /** A request that waits longer is refused. */
  maxWaitMs: number
  now?: () => number
}

type Kind = 'sync' | 'async'

/** To close and replace the page of a cancelled request keeps the processors busy: its slot is held for so much longer. */
const afterDisconnectMs = 4_000
/**
 * A caller with queued requests yields one slot to another caller whose single request began within this time, unless
 * its own last slot is longer ago.
 */
const maxLeftMs = 100
/** While others are active, a key backs off after each asynchronous accept for so many times its duration. */
const restAfterAccepting = 8

/**
 * Limits the requests for documents that an owner or API key has in progress, so that others get time. Needed where the
 * gateway and the renderers share processors: there, even requests that only wait for a render slot delay others. There
 * is no limit while nobody else is active. Synchronous and asynchronous requests do not wait for each other.
 */
export class RequestLimiter {
  readonly #atOnce: number
  readonly #queue: FairQueue<Kind>
  readonly #limit: { ms: number; refusal: () => Error }

  constructor({ atOnce = Number.POSITIVE_INFINITY, maxWaitMs, now }: RequestLimiterOptions) {
    this.#atOnce = atOnce
    const mayBegin = (claim: QueuedClaim<Kind>, hasWaited: boolean) => this.#mayBegin(claim, hasWaited)
    this.#queue = new FairQueue({ kinds: ['sync', 'async'], mayBegin, now })
    this.#limit = { ms: maxWaitMs, refusal: queueFull }
  }

  /** Waits for the slot of the request, which ends on disposal. Throws QUEUE_FULL, or the reason of `disconnected`. */
  async take({ ownerId: owner, apiKeyId: key, isAsync, disconnected: signal }: LimitedRequest): Promise<Disposable> {
    const claim: QueuedClaim<Kind> = { owner, key, kind: isAsync ? 'async' : 'sync' }
    const slot = await this.#queue.take(claim, { signal, limit: this.#limit })
    const since = performance.now()
    return {
      [Symbol.dispose]: () => {
        const restMs = this.#restMs(claim, { disconnected: signal.aborted, tookMs: performance.now() - since })
        if (restMs > 0) setTimeout(() => slot[Symbol.dispose](), restMs).unref()
        else slot[Symbol.dispose]()
      },
    }
  }

  #mayBegin(claim: QueuedClaim<Kind>, hasWaited: boolean): boolean {
    const { keys, owners } = this.#queue.shares
    const { busy, waiting } = this.#queue.ofOwner(claim)
    const ofOwner = { busy, hasWaited: hasWaited || waiting > 1 }
    const ofKey = { busy: this.#queue.busyIn(claim), hasWaited }
    return this.#isInShare(keys, claim.key, ofKey) && this.#isInShare(owners, claim.owner, ofOwner)
  }

  #isInShare(usage: Usage, id: string, { busy, hasWaited }: { busy: number; hasWaited: boolean }): boolean {
    if (!usage.mustYield(id)) return true
    // A short request of another one would take twice as long beside one of this.
    const leavesSlot = hasWaited && usage.idleMs(id) < maxLeftMs && usage.hasNewcomer(id, maxLeftMs)
    return busy < this.#atOnce - (leavesSlot ? 1 : 0)
  }

  #restMs(
    { key, kind }: QueuedClaim<Kind>,
    { disconnected, tookMs }: { disconnected: boolean; tookMs: number },
  ): number {
    if (!Number.isFinite(this.#atOnce) || !this.#queue.shares.keys.mustYield(key)) return 0
    if (kind === 'async') return restAfterAccepting * tookMs
    return disconnected ? afterDisconnectMs : 0
  }
}

function queueFull(): DomainError {
  const message = 'Too many concurrent requests of this API key or its owner while others send some. Retry in 1 s'
  return new DomainError('QUEUE_FULL', message, { details: { retry_after_s: 1 } })
}
