export interface Candidate {
  host: string
  nextAtMs: number
}

export interface Limits {
  /** Concurrent attempts. */
  total: number
  perHost: number
}

/**
 * The attempts to start now. Hosts with few attempts in flight come first, so that slow receivers do not delay the
 * others.
 */
export function chooseAttempts<Attempt extends Candidate>(
  candidates: readonly Attempt[],
  inFlight: readonly { host: string }[],
  { total, perHost }: Limits,
): Attempt[] {
  const perHostCount = new Map<string, number>()
  const take = (host: string) => {
    const before = perHostCount.get(host) ?? 0
    perHostCount.set(host, before + 1)
    return before
  }
  for (const { host } of inFlight) take(host)
  return candidates
    .toSorted((a, b) => a.nextAtMs - b.nextAtMs)
    .map((candidate) => ({ candidate, place: take(candidate.host) }))
    .filter(({ place }) => place < perHost)
    .sort((a, b) => a.place - b.place)
    .slice(0, Math.max(0, total - inFlight.length))
    .map(({ candidate }) => candidate)
}
