import { Usage } from './usage.ts'

/** Who wants to use what is shared. */
export interface Claim {
  owner: string
  /** The keys of an owner share what it has: its API keys, the hosts of its webhooks. */
  key: string
}

/**
 * Shares something that can be used a limited number of times at once between owners, and what an owner has between its keys.
 * Next is who has used the least time (deficit round robin).
 */
export class FairShares {
  readonly owners: Usage
  readonly keys: Usage

  constructor(now?: () => number) {
    this.owners = new Usage(now)
    this.keys = new Usage(now)
  }

  /** The claim waits until `leave` is called. */
  enter({ owner, key }: Claim): void {
    this.owners.enter(owner)
    this.keys.enter(key)
  }

  leave({ owner, key }: Claim): void {
    this.owners.leave(owner)
    this.keys.leave(key)
  }

  /** Begins a use. The result ends it. */
  begin({ owner, key }: Claim): () => void {
    const ends = [this.owners.begin(owner), this.keys.begin(key)]
    return () => {
      for (const end of ends) end()
    }
  }

  /** Chooses the next claim: of the owner that has used the least time, the key that has used the least. */
  next<Claimed extends Claim>(claims: readonly Claimed[]): Claimed | undefined {
    if (claims.length <= 1) return claims[0]
    const owner = this.owners.next(new Set(claims.map((claim) => claim.owner)))
    const own = claims.filter((claim) => claim.owner === owner)
    const key = this.keys.next(own.map((claim) => claim.key))
    return own.find((claim) => claim.key === key)
  }

  /** Whether the owner and the key have less than this share, or nobody else needs the rest. */
  mayHaveMore({ owner, key }: Claim, share: number): boolean {
    if (this.keys.held(key) >= share && this.keys.mustYield(key)) return false
    return this.owners.held(owner) < share || !this.owners.mustYield(owner)
  }
}
