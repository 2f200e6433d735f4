import { Usage } from './usage.ts'

/** An owner and a key that wait for, or use, something shared. */
export interface Claim {
  owner: string
  /** Keys of one owner share its part: its API keys, or the hosts of its webhooks. */
  key: string
}

/**
 * Shares a limited resource between owners, and the part of an owner between its keys. Next is the one that has used
 * the least time (deficit round robin).
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

  /** Whether the owner and the key have less than this share, or no other owner needs the rest. */
  mayHaveMore({ owner, key }: Claim, share: number): boolean {
    if (this.keys.held(key) >= share && this.keys.mustYield(key)) return false
    return this.owners.held(owner) < share || !this.owners.mustYield(owner)
  }
}
