import type { Evidence, LoggedEvent } from './evidence.ts'

export interface Verdict {
  invariant: string
  title: string
  /** Number of compared facts. */
  checked: number
  violations: string[]
}

/** `true` counts a fact that was compared, a text is a violation. */
export type Judged = Iterable<string | true>
export type Check = (evidence: Evidence, facts: Facts) => Judged

export const verdict = (right: boolean, violation: () => string): string | true => right || violation()

export interface Facts {
  /** Events by stream, in order of their revisions. */
  streams: Map<string, LoggedEvent[]>
  /** Events by the id of the request that caused them. */
  requests: Map<string, LoggedEvent[]>
  generations: Map<string, LoggedEvent[]>
}

export function factsOf({ log }: Evidence): Facts {
  const streams = Map.groupBy(log, ({ category, aggregate }) => `${category}-${aggregate}`)
  for (const events of streams.values()) events.sort((one, other) => one.revision - other.revision)
  const generations = [...streams.values()].filter(([first]) => first?.category === 'generation')
  return {
    streams,
    requests: Map.groupBy(log, ({ request }) => request),
    generations: new Map(generations.map((events) => [events[0]?.aggregate ?? '', events])),
  }
}

export const inStream = ({ streams }: Facts, stream: string): readonly LoggedEvent[] => streams.get(stream) ?? []
