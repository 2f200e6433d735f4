import { type Interval, median, medianInterval } from '../machine/statistics.ts'

/**
 * `rate`, `cpu` and `latency` are ratios to another way to print, in the same round. `count` and `timed` are numbers of
 * one document. A `timed` one counts work that is grouped by time, and is greater on a slower machine.
 */
export const figureKinds = ['rate', 'cpu', 'latency', 'count', 'timed'] as const
export type FigureKind = (typeof figureKinds)[number]

/** What the gate compares with the committed result. */
export interface Figure {
  name: string
  kind: FigureKind
  value: number
  /** Interval of the median of the rounds. */
  interval: Interval
}

export function figure(name: string, kind: FigureKind, values: readonly number[]): Figure {
  return { name, kind, value: median(values), interval: medianInterval(values) }
}
