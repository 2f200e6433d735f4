import type { CommittedResult } from '../gate/committed.ts'
import { type Comparison, marginOf, spreadOf } from '../gate/compare.ts'
import { between, significant, textTable } from './text-table.ts'

const percent = (share: number) => `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} %`

/** Each figure with its interval, what was committed, and the limit that follows. */
export function gateTable(comparisons: readonly Comparison[]): string {
  return textTable(
    ['figure, of a document', 'now', 'of the rounds', 'committed', 'its runs differ by', 'margin', 'limit', ''],
    comparisons.map(({ name, value, interval, committed, bound, limit, verdict }) => [
      ...[name, significant(value), between(interval)],
      ...(committed
        ? [significant(committed.value), percent(spreadOf(committed)), percent(marginOf(committed))]
        : ['–', '–', '–']),
      ...[committed ? `${bound} ${significant(limit)}` : '–', verdict],
    ]),
  )
}

export function aboutCommitted({ machine, usedByOthers, figures }: CommittedResult): string {
  const runs = Math.max(...Object.values(figures).map((one) => one.runs.length))
  const others = Math.max(...usedByOthers)
  return (
    `Committed: the median of ${runs} runs on ${machine.cores} × ${machine.cpu}, ${machine.startedAt.slice(0, 10)}, ` +
    `while other programs used up to ${percent(others)} of the processor.`
  )
}

export const aboutOthers = (share: number): string =>
  `Other programs used ${percent(share)} of the processor during this run.`
