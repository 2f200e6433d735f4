/** The account of one owner for a shared resource, such as the render slots of a process. */
interface Account {
  /** Milliseconds of its finished uses, plus the time that others used while it was idle. */
  usedMs: number
  /** When each use in progress began. */
  uses: Set<{ since: number }>
  /** Requests that wait for a use. */
  waiting: number
  /** When the owner last waited for something or used it. */
  lastAt: number
  /** When its last use began or ended. */
  usedAt: number
  /** The mean duration of its uses; undefined before the first one has ended. */
  meanMs: number | undefined
}

/** An owner without any request for this time is forgotten. */
const forgetAfterMs = 60_000
/** An owner stays active for this time after its last use: its share is kept free for the next request. */
const activeMs = 1_000
/** The weight of the last use in the mean. */
const weight = 0.2

/**
 * Measures what owners use of something shared, and chooses the next one: deficit round robin, where the cost of a use
 * is its time. A use in progress counts, too. An owner that was idle starts even with the others, and is owed nothing.
 */
export class Usage {
  readonly #now: () => number
  readonly #accounts = new Map<string, Account>()
  /** The start value for an owner that was idle. */
  #idleStartMs = 0
  #ownersWaiting = 0

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** A request of the owner waits until `leave` is called. */
  enter(owner: string): void {
    const account = this.#account(owner)
    if (account.waiting === 0) this.#ownersWaiting += 1
    account.waiting += 1
  }

  leave(owner: string): void {
    const account = this.#account(owner)
    account.waiting -= 1
    account.lastAt = this.#now()
    if (account.waiting === 0) this.#ownersWaiting -= 1
  }

  /** Begins a use. The result ends it, and charges its time to the owner. */
  begin(owner: string): () => void {
    const account = this.#account(owner)
    const use = { since: this.#now() }
    account.uses.add(use)
    account.usedAt = use.since
    return () => {
      if (!account.uses.has(use)) return
      this.#advance()
      account.uses.delete(use)
      account.lastAt = this.#now()
      account.usedAt = account.lastAt
      const ms = account.usedAt - use.since
      account.usedMs += ms
      account.meanMs = account.meanMs === undefined ? ms : (1 - weight) * account.meanMs + weight * ms
    }
  }

  /**
   * The owner that has used the least; among equal ones the one with the fewest uses in progress, then the one whose
   * last use is oldest.
   */
  next(owners: Iterable<string>): string | undefined {
    let least: { owner: string; used: number; held: number; lastAt: number } | undefined
    for (const owner of owners) {
      const account = this.#accounts.get(owner)
      const used = account ? this.#standing(account) : this.#idleStartMs
      if (least && used > least.used) continue
      const { uses: { size: held } = { size: 0 }, lastAt = Number.NEGATIVE_INFINITY } = account ?? {}
      if (!least || used < least.used || held < least.held || (held === least.held && lastAt < least.lastAt)) {
        least = { owner, used, held, lastAt }
      }
    }
    return least?.owner
  }

  /** The uses in progress of an owner. */
  held(owner: string): number {
    return this.#accounts.get(owner)?.uses.size ?? 0
  }

  /** Whether an owner that has its share must leave the rest to others, because one waits or was here a moment ago. */
  mustYield(owner: string): boolean {
    const account = this.#accounts.get(owner)
    if (this.#ownersWaiting > (account && account.waiting > 0 ? 1 : 0)) return true
    const since = this.#now() - activeMs
    return this.#accounts.values().some((one) => one !== account && (isBusy(one) || one.lastAt > since))
  }

  /** How long a use of the owner takes, as far as known: at least as long as its longest use in progress. */
  meanMs(owner: string): number | undefined {
    const account = this.#accounts.get(owner)
    if (!account) return undefined
    const now = this.#now()
    const [oldest] = account.uses
    const running = oldest === undefined ? 0 : now - oldest.since
    return Math.max(running, account.meanMs ?? 0) || undefined
  }

  /** The time since a use of the owner has begun or ended. */
  idleMs(owner: string): number {
    return this.#now() - (this.#accounts.get(owner)?.usedAt ?? Number.NEGATIVE_INFINITY)
  }

  /** Whether another owner, of which nothing waits, has begun a use within this time. */
  hasNewcomer(owner: string, withinMs: number): boolean {
    const since = this.#now() - withinMs
    return this.#accounts
      .entries()
      .some(
        ([name, { uses, waiting }]) => name !== owner && waiting === 0 && [...uses].some((use) => use.since > since),
      )
  }

  /** Whether another owner, of which at most one request waits, uses the resource or did so within this time. */
  hasVisitor(owner: string, withinMs: number): boolean {
    const since = this.#now() - withinMs
    return this.#accounts
      .entries()
      .some(
        ([name, { uses, waiting, lastAt }]) =>
          name !== owner && waiting <= 1 && (waiting + uses.size > 0 || lastAt > since),
      )
  }

  /** The number of other owners that use the resource or wait for it. */
  competitors(owner: string): number {
    return this.#accounts.entries().reduce((count, [name, one]) => count + (name !== owner && isBusy(one) ? 1 : 0), 0)
  }

  /** The owners that use the resource now. */
  holders(): string[] {
    return [...this.#accounts].flatMap(([owner, { uses }]) => (uses.size > 0 ? [owner] : []))
  }

  #account(owner: string): Account {
    this.#advance()
    const known = this.#accounts.get(owner)
    if (known && (isBusy(known) || this.#now() - known.lastAt < forgetAfterMs)) {
      if (!isBusy(known)) known.usedMs = this.#standing(known)
      return known
    }
    this.#forgetIdle()
    const never = Number.NEGATIVE_INFINITY
    const usedMs = this.#idleStartMs
    const account: Account = { usedMs, uses: new Set(), waiting: 0, lastAt: never, usedAt: never, meanMs: undefined }
    this.#accounts.set(owner, account)
    return account
  }

  /** Raises the level to what the owner has used that has used the least of those that compete. */
  #advance(): void {
    const used = this.#accounts.values().flatMap((account) => (isBusy(account) ? [this.#used(account)] : []))
    const least = used.reduce((least, one) => Math.min(least, one), Number.POSITIVE_INFINITY)
    if (Number.isFinite(least)) this.#idleStartMs = Math.max(this.#idleStartMs, least)
  }

  #used({ usedMs, uses }: Account): number {
    const now = this.#now()
    return uses.values().reduce((sum, { since }) => sum + now - since, usedMs)
  }

  /** The used time of the account, as compared with others. */
  #standing(account: Account): number {
    return isBusy(account) ? this.#used(account) : Math.max(account.usedMs, this.#idleStartMs)
  }

  #forgetIdle(): void {
    const now = this.#now()
    for (const [owner, account] of this.#accounts) {
      if (!isBusy(account) && now - account.lastAt >= forgetAfterMs) this.#accounts.delete(owner)
    }
  }
}

function isBusy({ uses, waiting }: Account): boolean {
  return uses.size > 0 || waiting > 0
}
