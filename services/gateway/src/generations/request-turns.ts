import { DomainError } from '@platen/domain/http/errors.ts'
import { FairShares } from '@platen/foundation/runtime/fair-shares.ts'
import { WaitingLine } from '../http/waiting-line.ts'

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

/** What one API key has in progress of its synchronous or of its asynchronous requests. */
interface Line {
  apiKeyId: string
  isAsync: boolean
  held: number
  /** When a turn last began or ended. */
  lastAt: number
  waiting: WaitingLine
}

const lookAgainMs = 50
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
  readonly #options: RequestTurnsOptions
  readonly #now: () => number
  readonly #active: FairShares
  readonly #lines = new Map<string, Line>()
  #lookAgain: NodeJS.Timeout | undefined

  constructor(options: RequestTurnsOptions) {
    this.#options = options
    this.#now = options.now ?? (() => performance.now())
    this.#active = new FairShares(this.#now)
  }

  /** Waits for the turn of the request, which ends on disposal. Throws QUEUE_FULL, or the reason of `disconnected`. */
  async take({ apiKeyId, isAsync, disconnected }: TurnRequest): Promise<Disposable> {
    const line = this.#line(apiKeyId, isAsync)
    this.#active.enter(apiKeyId)
    try {
      if (line.waiting.size === 0 && this.#mayBegin(line)) return this.#begin(line, disconnected)
      const { maxWaitMs } = this.#options
      const begin = () => this.#begin(line, disconnected)
      const turn = line.waiting.wait(begin, { maxWaitMs, refusal: queueFull, signal: disconnected })
      this.#lookAgainLater()
      return await turn
    } finally {
      this.#active.leave(apiKeyId)
    }
  }

  #line(apiKeyId: string, isAsync: boolean): Line {
    const name = `${apiKeyId} ${isAsync}`
    const line = this.#lines.get(name) ?? {
      apiKeyId,
      isAsync,
      held: 0,
      lastAt: Number.NEGATIVE_INFINITY,
      waiting: new WaitingLine(),
    }
    this.#lines.set(name, line)
    return line
  }

  #mayBegin(line: Line): boolean {
    const { atOnce = Number.POSITIVE_INFINITY } = this.#options
    if (!this.#active.mustYield(line.apiKeyId)) return true
    return line.held < (this.#leavesTurn(line) ? atOnce - 1 : atOnce)
  }

  /** Whether a single request of another key has just begun: a short one would take twice as long beside one of this key. */
  #leavesTurn({ apiKeyId, waiting, lastAt }: Line): boolean {
    const since = this.#now() - maxLeftMs
    if (waiting.size === 0 || lastAt <= since) return false
    const others = this.#lines.values().filter((line) => line.apiKeyId !== apiKeyId && !line.isAsync)
    return others.some((line) => line.held > 0 && line.waiting.size === 0 && line.lastAt > since)
  }

  #begin(line: Line, disconnected: AbortSignal): Disposable {
    const end = this.#active.begin(line.apiKeyId)
    const since = this.#now()
    line.held += 1
    line.lastAt = since
    const release = () => {
      end()
      line.held -= 1
      line.lastAt = this.#now()
      this.#admitWaiting()
    }
    return {
      [Symbol.dispose]: () => {
        const restMs = this.#restMs(line, { disconnected: disconnected.aborted, since })
        if (restMs > 0) setTimeout(release, restMs).unref()
        else release()
      },
    }
  }

  #restMs(line: Line, { disconnected, since }: { disconnected: boolean; since: number }): number {
    if (this.#options.atOnce === undefined || !this.#active.mustYield(line.apiKeyId)) return 0
    if (line.isAsync) return restAfterAccepting * (this.#now() - since)
    return disconnected ? afterDisconnectMs : 0
  }

  #admitWaiting(): void {
    for (const [name, line] of this.#lines) {
      while (line.waiting.size > 0 && this.#mayBegin(line)) line.waiting.admit()
      if (line.held === 0 && line.waiting.size === 0) this.#lines.delete(name)
    }
  }

  /** Other keys become inactive without telling. */
  #lookAgainLater(): void {
    this.#lookAgain ??= setTimeout(() => {
      this.#lookAgain = undefined
      this.#admitWaiting()
      if (this.#lines.values().some(({ waiting }) => waiting.size > 0)) this.#lookAgainLater()
    }, lookAgainMs).unref()
  }
}

function queueFull(): DomainError {
  const message = 'Too many requests of this API key wait while other keys send some; retry in 1 s'
  return new DomainError('QUEUE_FULL', message, { details: { retry_after_s: 1 } })
}
