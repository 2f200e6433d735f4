import { DomainError } from '@platen/domain/http/errors.ts'
import { FairQueue, type QueuedClaim } from '@platen/foundation/runtime/fair-queue.ts'

export interface TurnRequest {
  apiKeyId: string
  isAsync: boolean
  /** Aborts when the client has disconnected. */
  disconnected: AbortSignal
}

export interface RequestTurnsOptions {
  /** Requests of one API key in progress while other keys send some; undefined: no limit. */
  atOnce: number | undefined
  /** A request that waits longer is refused. */
  maxWaitMs: number
  now?: () => number
}

type Kind = 'sync' | 'async'

/** A page that is cancelled is closed and replaced, which keeps the processors busy. A turn lasts so much longer. */
const afterDisconnectMs = 4_000
/** Accepting is work without waits: while others are active, a key rests after each turn for so many times its length. */
const restAfterAccepting = 8
/**
 * A key whose requests wait leaves one of its turns to a single request of another key that has begun in this time, if its own
 * last turn is not longer ago.
 */
const maxLeftMs = 100

/**
 * Lets an API key that sends many requests leave time to others. It is of use where the gateway shares its processors
 * with the renderers: there, requests that only wait for a render slot already delay those of other keys. A key has no
 * limit while no other one is active. Synchronous and asynchronous requests of a key do not wait for each other.
 */
export class RequestTurns {
  readonly #atOnce: number
  readonly #queue: FairQueue<Kind>
  readonly #limit: { ms: number; refusal: () => Error }

  constructor({ atOnce = Number.POSITIVE_INFINITY, maxWaitMs, now }: RequestTurnsOptions) {
    this.#atOnce = atOnce
    const mayBegin = (claim: QueuedClaim<Kind>, hasWaited: boolean) => this.#mayBegin(claim, hasWaited)
    this.#queue = new FairQueue({ kinds: ['sync', 'async'], mayBegin, now })
    this.#limit = { ms: maxWaitMs, refusal: queueFull }
  }

  /** Waits for the turn of the request, which ends on disposal. Throws QUEUE_FULL, or the reason of `disconnected`. */
  async take({ apiKeyId: key, isAsync, disconnected: signal }: TurnRequest): Promise<Disposable> {
    const claim: QueuedClaim<Kind> = { owner: key, key, kind: isAsync ? 'async' : 'sync' }
    const turn = await this.#queue.take(claim, { signal, limit: this.#limit })
    const since = performance.now()
    return {
      [Symbol.dispose]: () => {
        const restMs = this.#restMs(claim, { disconnected: signal.aborted, tookMs: performance.now() - since })
        if (restMs > 0) setTimeout(() => turn[Symbol.dispose](), restMs).unref()
        else turn[Symbol.dispose]()
      },
    }
  }

  #mayBegin(claim: QueuedClaim<Kind>, hasWaited: boolean): boolean {
    const { keys } = this.#queue.shares
    if (!keys.mustYield(claim.key)) return true
    // A short request of another key would take twice as long beside one of this key.
    const leavesTurn = hasWaited && keys.idleMs(claim.key) < maxLeftMs && keys.hasNewcomer(claim.key, maxLeftMs)
    return this.#queue.busyIn(claim) < this.#atOnce - (leavesTurn ? 1 : 0)
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
  const message = 'Too many requests of this API key wait while other keys send some; retry in 1 s'
  return new DomainError('QUEUE_FULL', message, { details: { retry_after_s: 1 } })
}
