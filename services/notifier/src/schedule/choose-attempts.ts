export interface Receiver {
  ownerId: string
  host: string
}

export interface Candidate extends Receiver {
  nextAtMs: number
}

export interface Limits {
  /** Concurrent attempts. */
  total: number
  /** Of them, those of one owner to one host. */
  perHost: number
}

/**
 * An owner has at most this many times the attempts that are free. So some are always free for others: alone it has four
 * fifths of the total.
 */
const ownerShare = 4

/**
 * The attempts to start now. Owners with few attempts in flight come first, and of an owner the hosts with few: neither an
 * owner with very many webhooks nor a slow receiver delays the others.
 */
export function chooseAttempts<Attempt extends Candidate>(
  candidates: readonly Attempt[],
  inFlight: readonly Receiver[],
  { total, perHost }: Limits,
): Attempt[] {
  const ofHosts = counter(inFlight.map(hostKey))
  const ofOwners = counter(inFlight.map(({ ownerId }) => ownerId))
  const ranked = candidates
    .toSorted((a, b) => a.nextAtMs - b.nextAtMs)
    .map((candidate) => ({ candidate, place: ofHosts(hostKey(candidate)) }))
    .filter(({ place }) => place < perHost)
    .sort((a, b) => a.place - b.place)
    .map(({ candidate }) => ({ candidate, place: ofOwners(candidate.ownerId) }))
    .sort((a, b) => a.place - b.place)
  const chosen: Attempt[] = []
  let free = total - inFlight.length
  for (const { candidate, place } of ranked) {
    if (place >= ownerShare * free) continue
    chosen.push(candidate)
    free--
  }
  return chosen
}

const hostKey = ({ ownerId, host }: Receiver) => `${ownerId} ${host}`

/** Counts names. Each call returns how often the name was counted before. */
function counter(names: readonly string[]): (name: string) => number {
  const counts = new Map<string, number>()
  const count = (name: string) => {
    const before = counts.get(name) ?? 0
    counts.set(name, before + 1)
    return before
  }
  for (const name of names) count(name)
  return count
}
