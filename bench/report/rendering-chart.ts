import type { Machine } from '../machine/about.ts'
import type { Row } from '../rendering/rounds.ts'
import { barChart } from './bar-chart.ts'

/** The best rate of each strategy, by document. */
export function renderingChart(rows: readonly Row[], machine: Machine): string {
  const documents = [...new Set(rows.map(({ document }) => document))]
  const groups = documents.map((document) => ({
    title: document,
    bars: bestOfEach(rows.filter((row) => row.document === document)).map(({ strategy, name, concurrency, rate }) => ({
      label: `${name} (${concurrency} at once)`,
      value: rate,
      ours: strategy === 'f' || strategy === 'g',
    })),
  }))
  const { cpu, cores, chromium } = machine
  return barChart(
    'Platen compared with other ways to print',
    `${cores} × ${cpu} · ${chromium}`,
    groups,
    'documents a second',
  )
}

function bestOfEach(rows: readonly Row[]): Row[] {
  const strategies = [...new Set(rows.map(({ strategy }) => strategy))]
  return strategies.flatMap((id) =>
    rows
      .filter(({ strategy }) => strategy === id)
      .toSorted((one, other) => other.rate - one.rate)
      .slice(0, 1),
  )
}
