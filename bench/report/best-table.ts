import type { Failure } from '../rendering/failures.ts'
import type { Row } from '../rendering/rounds.ts'
import { significant } from './text-table.ts'

type Shown = Pick<Row, 'document' | 'strategy' | 'name' | 'rate' | 'cpuMs' | 'pssMb'>

/** For docs/understand/benchmarks.md: of each strategy the best rate of a document, with the processor time and the memory that it took. */
export function bestTable(rows: readonly Shown[], failures: readonly Failure[]): string {
  const documents = [...new Set(rows.map(({ document }) => document))]
  const strategies = [...new Map(rows.map(({ strategy, name }) => [strategy, name]))]
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const cell = (id: string, document: string) => {
    const own = rows.filter((row) => row.strategy === id && row.document === document)
    const best = own.toSorted((one, other) => other.rate - one.rate)[0]
    if (!best) return failures.some((one) => one.strategy === id && one.document === document) ? 'failed' : ''
    // Unknown for processes of another machine, and memory for a browser per render, which has exited.
    const cpu = best.cpuMs === 0 ? '–' : significant(best.cpuMs)
    const pss = best.pssMb === 0 ? '–' : best.pssMb.toFixed(0)
    return `${significant(best.rate)}; ${cpu}; ${pss}`
  }
  return [
    line(['documents a second; CPU ms each; PSS MB', ...documents]),
    line(['', ...documents].map(() => '---')),
    ...strategies.map(([id, name]) => line([`(${id}) ${name}`, ...documents.map((document) => cell(id, document))])),
  ].join('\n')
}
