import type { Claim, FairShares } from '@platen/foundation/runtime/fair-shares.ts'
import { mayHaveMore } from '@platen/foundation/runtime/share.ts'

export interface Candidate {
  ownerId: string
  host: string
  nextAtMs: number
}

export interface Choice {
  /** The shares that count the attempts in progress. */
  shares: FairShares
  /** Attempts that may be started. */
  free: number
  /** Concurrent attempts of one owner to one host. */
  perHost: number
}

export interface Chosen<Attempt> {
  attempt: Attempt
  /** To be called when the attempt has ended. */
  end: () => void
}

/** An owner that is alone has four fifths of the attempts. */
const ownerShare = { timesFree: 4 }

/**
 * Chooses the attempts to start now. Next is the owner whose attempts have taken the least time, and its host with the
 * least, so that neither an owner with many webhooks nor a slow receiver delays others.
 */
export function chooseAttempts<Attempt extends Candidate>(
  candidates: readonly Attempt[],
  { shares, free, perHost }: Choice,
): Chosen<Attempt>[] {
  const lines = Map.groupBy(
    candidates.toSorted((a, b) => a.nextAtMs - b.nextAtMs),
    ({ ownerId, host }) => `${ownerId} ${host}`,
  )
  const claims = lines
    .entries()
    .flatMap(([key, line]) => (line[0] ? [{ owner: line[0].ownerId, key, line }] : []))
    .toArray()
  const chosen: Chosen<Attempt>[] = []
  for (let left = free; left > 0; left--) {
    const mayBegin = ({ owner, key, line }: Claim & { line: Attempt[] }) =>
      line.length > 0 &&
      shares.keys.held(key) < perHost &&
      mayHaveMore(ownerShare, { has: shares.owners.held(owner), free: left })
    const next = shares.next(claims.filter(mayBegin))
    const attempt = next?.line.shift()
    if (!next || !attempt) break
    chosen.push({ attempt, end: shares.begin(next) })
  }
  return chosen
}
