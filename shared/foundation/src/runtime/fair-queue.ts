import { type Claim, FairShares } from './fair-shares.ts'

/** A claim to one use of what a queue shares. */
export interface QueuedClaim<Kind extends string> extends Claim {
  /** Claims of one kind do not wait for claims of another. */
  kind: Kind
}

export interface FairQueueOptions<Kind extends string> {
  /** Kinds in the order in which they are served. */
  kinds: readonly Kind[]
  /**
   * Whether the use may begin now. Called for the first claim of each key whenever a use ends, and every 50 ms.
   * `hasWaited`: false if the claim has just come.
   */
  mayBegin: (claim: QueuedClaim<Kind>, hasWaited: boolean) => boolean
  now?: (() => number) | undefined
}

export interface Patience {
  /** Ends the wait, which rejects with its reason. */
  signal?: AbortSignal
  /**
   * A claim that waits longer, or finds very many before it, is refused. Without a limit, a claim waits until it
   * begins.
   */
  limit?: { ms: number; refusal: () => Error }
}

type Place<Kind extends string> = Pick<QueuedClaim<Kind>, 'kind' | 'key'>

/** The waiting claims and the uses in progress of a key. */
interface Line<Kind extends string> {
  owner: string
  busy: number
  waiting: Set<Waiter<Kind>>
}

/** The lines of a kind, by key, and what they have together. */
interface Group<Kind extends string> {
  lines: Map<string, Line<Kind>>
  /** The uses in progress of each owner that has some, and the claims of each that wait. */
  owners: Map<string, { busy: number; waiting: number }>
  busy: number
  waiting: number
}

interface Waiter<Kind extends string> {
  claim: QueuedClaim<Kind>
  hasWaited: boolean
  begin: () => void
  refuse: (reason: unknown) => void
}

/** The maximum of waiting requests in a queue. Each holds its body in memory. */
const maxWaiting = 1_000
/**
 * Nothing signals that an owner has become inactive or a use slow, so that the queue is checked again after this time.
 */
const lookAgainMs = 50

/**
 * The queue for something that several owners share: render slots, worker threads, requests in progress. Each key has a
 * line in order of arrival. Of the claims that may begin, `FairShares` chooses the next one.
 */
export class FairQueue<Kind extends string> {
  readonly shares: FairShares
  readonly #mayBegin: FairQueueOptions<Kind>['mayBegin']
  readonly #groups: Map<Kind, Group<Kind>>
  #lookAgain: NodeJS.Timeout | undefined

  constructor({ kinds, mayBegin, now }: FairQueueOptions<Kind>) {
    this.shares = new FairShares(now)
    this.#mayBegin = mayBegin
    this.#groups = new Map(kinds.map((kind) => [kind, emptyGroup<Kind>()]))
  }

  /** Waits for a use, which ends on disposal. */
  async take(claim: QueuedClaim<Kind>, { signal, limit }: Patience = {}): Promise<Disposable> {
    signal?.throwIfAborted()
    if (limit && this.waitingIn(claim) >= maxWaiting) throw limit.refusal()
    const { promise, resolve, reject } = Promise.withResolvers<Disposable>()
    const waiter = { claim, hasWaited: false, begin: () => resolve(this.#begin(claim)), refuse: reject }
    this.#enter(waiter)
    this.admit()
    if (!this.#isWaiting(waiter)) return await promise
    waiter.hasWaited = true
    using waiting = new DisposableStack()
    const leave = (reason: unknown) => {
      this.#leave(waiter)
      reject(reason)
      this.admit()
    }
    if (signal) {
      const abort = () => leave(signal.reason)
      signal.addEventListener('abort', abort, { once: true })
      waiting.defer(() => signal.removeEventListener('abort', abort))
    }
    if (limit) {
      const late = setTimeout(() => leave(limit.refusal()), limit.ms)
      waiting.defer(() => clearTimeout(late))
    }
    return await promise
  }

  /** The uses of the kind in progress. */
  busy(kind: Kind): number {
    return this.#group(kind).busy
  }

  /** The uses of a key in progress. */
  busyIn({ kind, key }: Place<Kind>): number {
    return this.#group(kind).lines.get(key)?.busy ?? 0
  }

  /** The owner of a key that has a use in progress, or a claim that waits. */
  ownerIn({ kind, key }: Place<Kind>): string | undefined {
    return this.#group(kind).lines.get(key)?.owner
  }

  /** Uses in progress and waiting claims of all keys of the owner, for a kind. */
  ofOwner({ kind, owner }: Pick<QueuedClaim<Kind>, 'kind' | 'owner'>): { busy: number; waiting: number } {
    return this.#group(kind).owners.get(owner) ?? { busy: 0, waiting: 0 }
  }

  /** The claims of the kind that wait. */
  waiting(kind: Kind): number {
    return this.#group(kind).waiting
  }

  /** The waiting claims of a key. */
  waitingIn({ kind, key }: Place<Kind>): number {
    return this.#group(kind).lines.get(key)?.waiting.size ?? 0
  }

  /** Begins what may begin. To be called when there is more to share. */
  admit(): void {
    for (const { lines } of this.#groups.values()) {
      for (let next = this.#next(lines); next; next = this.#next(lines)) {
        this.#leave(next)
        next.begin()
      }
    }
    if (this.#groups.values().every(({ waiting }) => waiting === 0)) return
    this.#lookAgain ??= setTimeout(() => {
      this.#lookAgain = undefined
      this.admit()
    }, lookAgainMs).unref()
  }

  /** Rejects all that wait. */
  refuseAll(reason: unknown): void {
    const lines = this.#groups.values().flatMap((group) => group.lines.values())
    for (const waiter of lines.flatMap(({ waiting }) => waiting).toArray()) {
      this.#leave(waiter)
      waiter.refuse(reason)
    }
  }

  #group(kind: Kind): Group<Kind> {
    return this.#groups.get(kind) ?? emptyGroup()
  }

  #next(lines: Map<string, Line<Kind>>): Waiter<Kind> | undefined {
    const first = new Map<QueuedClaim<Kind>, Waiter<Kind>>()
    for (const { waiting } of lines.values()) {
      const [waiter] = waiting
      if (waiter && this.#mayBegin(waiter.claim, waiter.hasWaited)) first.set(waiter.claim, waiter)
    }
    const next = this.shares.next([...first.keys()])
    return next && first.get(next)
  }

  #isWaiting(waiter: Waiter<Kind>): boolean {
    const { kind, key } = waiter.claim
    return this.#group(kind).lines.get(key)?.waiting.has(waiter) ?? false
  }

  #enter(waiter: Waiter<Kind>): void {
    const { claim } = waiter
    this.#change(claim, (line) => line.waiting.add(waiter))
    this.shares.enter(claim)
  }

  #leave(waiter: Waiter<Kind>): void {
    if (!this.#isWaiting(waiter)) return
    this.#change(waiter.claim, (line) => line.waiting.delete(waiter))
    this.shares.leave(waiter.claim)
  }

  #begin(claim: QueuedClaim<Kind>): Disposable {
    const end = this.shares.begin(claim)
    this.#change(claim, (line) => {
      line.busy += 1
    })
    const turn = new DisposableStack()
    turn.defer(() => {
      end()
      this.#change(claim, (line) => {
        line.busy -= 1
      })
      this.admit()
    })
    return turn
  }

  /** A line exists while something is in it. */
  #change({ kind, key, owner }: QueuedClaim<Kind>, change: (line: Line<Kind>) => void): void {
    const group = this.#group(kind)
    const line = group.lines.get(key) ?? { owner, busy: 0, waiting: new Set() }
    const before = { busy: line.busy, waiting: line.waiting.size }
    change(line)
    const more = { busy: line.busy - before.busy, waiting: line.waiting.size - before.waiting }
    group.busy += more.busy
    group.waiting += more.waiting
    if (line.busy === 0 && line.waiting.size === 0) group.lines.delete(key)
    else group.lines.set(key, line)
    const { busy, waiting } = this.ofOwner({ kind, owner })
    const now = { busy: busy + more.busy, waiting: waiting + more.waiting }
    if (now.busy === 0 && now.waiting === 0) group.owners.delete(owner)
    else group.owners.set(owner, now)
  }
}

function emptyGroup<Kind extends string>(): Group<Kind> {
  return { lines: new Map(), owners: new Map(), busy: 0, waiting: 0 }
}
