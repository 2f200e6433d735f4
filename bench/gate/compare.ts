import type { CommittedFigure } from './committed.ts'
import type { Figure, FigureKind } from './figure.ts'

/** By how much a figure may be worse at least, if the committed runs differed by less: a quiet machine is not always quiet. */
const leastMargins: Readonly<Record<FigureKind, number>> = {
  rate: 0.08,
  cpu: 0.06,
  latency: 0.12,
  count: 0.02,
  timed: 0.12,
}
/** And at most: beyond that, the committed runs were too different to compare anything with. */
export const mostMargin = 0.3
/** The margin in differences of the committed runs: the farthest of five from their median is about one standard deviation off. */
const deviations = 2.5

/** The largest difference of a committed run from the median, as a share of it. */
export function spreadOf({ value, runs }: CommittedFigure): number {
  return Math.max(0, ...runs.map((run) => Math.abs(run / value - 1)))
}

export function marginOf(committed: CommittedFigure): number {
  return Math.min(mostMargin, Math.max(leastMargins[committed.kind], deviations * spreadOf(committed)))
}

export type Verdict = 'kept' | 'WORSE' | 'better' | 'new'

export interface Comparison extends Figure {
  committed: CommittedFigure | undefined
  /** The worst value that passes. */
  limit: number
  bound: '≥' | '≤'
  verdict: Verdict
}

/** Compares a figure with the committed one. `better`: by more than the margin, so that the committed result hides a later loss. */
export function compare(figure: Figure, committed: CommittedFigure | undefined): Comparison {
  const bound = figure.kind === 'rate' ? '≥' : '≤'
  if (!committed) return { ...figure, committed, bound, limit: Number.NaN, verdict: 'new' }
  const margin = marginOf(committed)
  const [less, more] = [committed.value * (1 - margin), committed.value * (1 + margin)]
  // NaN means that the figure could not be measured, and counts as worse.
  const isLess = !(figure.value >= less)
  const isMore = !(figure.value <= more)
  const [isWorse, isBetter] = bound === '≥' ? [isLess, isMore] : [isMore, isLess]
  const verdict = isWorse ? 'WORSE' : isBetter ? 'better' : 'kept'
  return { ...figure, committed, bound, limit: bound === '≥' ? less : more, verdict }
}
