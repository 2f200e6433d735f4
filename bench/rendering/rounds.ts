import type { BenchDocument } from '../documents/document.ts'
import { type Interval, median, medianInterval, quantile } from '../machine/statistics.ts'
import type { Strategy } from '../strategies/strategy.ts'
import type { Failures } from './failures.ts'
import { measure, type Segment } from './measure.ts'

export interface Row {
  document: string
  strategy: string
  name: string
  isolated: boolean
  concurrency: number
  samples: number
  /** Documents a second: the median of the rounds. */
  rate: number
  /** The rate of each round. Ratios are taken within a round, because the speed of the machine varies between rounds. */
  rates: number[]
  /** Interval of the median rate. */
  interval: Interval
  /** The median of all rounds, and that of each. */
  p50Ms: number
  p50sMs: number[]
  p95Ms: number
  cpuMs: number
  pssMb: number
  pdfBytes: number
}

export interface RoundsOptions {
  rounds: number
  segmentMs: number
  /** The longest that one strategy may take to print one document in one round. */
  limitMs: number
  failures: Failures
  say(text: string): void
}

interface Case {
  document: BenchDocument
  strategy: Strategy
  concurrency: number
  segments: Segment[]
}

/**
 * Measures every case once in each round, so that a slow minute of the machine affects all cases. A strategy that fails with a
 * document has no row of it.
 */
export async function runRounds(
  documents: readonly BenchDocument[],
  strategies: readonly Strategy[],
  { rounds, segmentMs, limitMs, failures, say }: RoundsOptions,
): Promise<Row[]> {
  const cases = documents.flatMap((document) =>
    strategies
      .filter((strategy) => strategy.accepts(document))
      .flatMap((strategy) =>
        strategy.concurrency.map((concurrency): Case => ({ document, strategy, concurrency, segments: [] })),
      ),
  )
  const hasFailed = ({ document, strategy }: Case) => failures.has(document.name, strategy.id)
  for (let round = 1; round <= rounds; round++) {
    say(`round ${round} of ${rounds}`)
    // Every other round runs backwards, so that each case follows another one.
    for (const one of round % 2 ? cases : cases.toReversed()) {
      const { document, strategy, concurrency, segments } = one
      if (hasFailed(one)) continue
      const { id, name } = strategy
      const segment = await failures.attempt({ document: document.name, strategy: id, name, limitMs }, () =>
        measure(strategy, document, { concurrency, ms: segmentMs }),
      )
      if (segment) segments.push(segment)
    }
  }
  return cases.filter((one) => !hasFailed(one)).map(rowOf)
}

function rowOf({ document, strategy, concurrency, segments }: Case): Row {
  const latencies = segments.flatMap(({ latenciesMs }) => latenciesMs)
  const rates = segments.map(({ rate }) => rate)
  return {
    document: document.name,
    strategy: strategy.id,
    name: strategy.name,
    isolated: strategy.isolated,
    concurrency,
    samples: latencies.length,
    rate: median(rates),
    rates,
    interval: medianInterval(rates),
    p50Ms: quantile(latencies, 0.5),
    p50sMs: segments.map(({ p50Ms }) => p50Ms),
    p95Ms: quantile(latencies, 0.95),
    // The median, because the processor time of a segment is too low if a browser was replaced in it.
    cpuMs: median(segments.map(({ cpuMs }) => cpuMs)),
    pssMb: Math.max(...segments.map(({ pssMb }) => pssMb)),
    pdfBytes: segments.at(-1)?.bytes ?? 0,
  }
}
