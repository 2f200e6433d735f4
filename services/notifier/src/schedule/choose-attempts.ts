export interface Candidate {
  host: string
  nextAtMs: number
}

export interface Limits {
  /** Attempts under way at once. */
  total: number
  perHost: number
}

/**
 * Which attempts may start now. A host with little in hand comes before one with much, so that receivers that hang
 * never fill all places while another waits.
 */
export function chooseAttempts<Attempt extends Candidate>(
  candidates: readonly Attempt[],
  inFlight: readonly { host: string }[],
  { total, perHost }: Limits,
): Attempt[] {
  const inHand = new Map<string, number>()
  const take = (host: string) => {
    const before = inHand.get(host) ?? 0
    inHand.set(host, before + 1)
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
