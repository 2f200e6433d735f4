import { failureLines } from './failures.ts'
import { lineOf } from './progress.ts'
import type { FileResult } from './test-worker.ts'
import type { TestCounts } from './worker.ts'

export interface Run {
  results: readonly FileResult[]
  /** Files that were not run, because the run was ended. */
  notRun: number
  ms: number
  seed: number
  /** The suite that a file belongs to. */
  suiteOf(file: string): string
}

/** The end of a report: the slowest files, what was skipped and why, failures, a row for each suite, and the totals. */
export function summaryLines({ results, notRun, ms, seed, suiteOf }: Run): string[] {
  const failed = results.filter(({ ok }) => !ok)
  return [
    ...section('The slowest files:', slowest(results)),
    ...section('Skipped:', skipped(results)),
    ...section(`Failed: ${failed.length}`, failed.flatMap(failureLines), failed.length > 0),
    ...suiteTable(results, suiteOf),
    '',
    ...(notRun > 0 ? [`Ended before ${notRun} files were run.`] : []),
    `${results.length} files in ${Math.round(ms / 1000)} s, seed ${seed}`,
    totalsLine(totalsOf(results)),
  ]
}

function section(title: string, lines: readonly string[], isShown = lines.length > 0): string[] {
  return isShown ? [title, ...lines, ''] : []
}

function slowest(results: readonly FileResult[]): string[] {
  if (results.length < 2) return []
  const longest = results.toSorted((a, b) => b.ms - a.ms)
  return longest.slice(0, 10).map(lineOf)
}

function skipped(results: readonly FileResult[]): string[] {
  const reasons = new Map<string, { count: number; file: string }>()
  for (const { file, skipped } of results) {
    for (const { name, reason } of skipped) {
      const text = reason === 'true' ? name : reason
      const { count = 0, file: first = file } = reasons.get(text) ?? {}
      reasons.set(text, { count: count + 1, file: first })
    }
  }
  return [...reasons].map(([reason, { count, file }]) => `${String(count).padStart(5)}  ${reason} (${file})`)
}

/** Rows that `.ci/run` repeats at its end. */
export function suiteTable(results: readonly FileResult[], suiteOf: (file: string) => string): string[] {
  const suites = Map.groupBy(results, ({ file }) => suiteOf(file))
  const rows = [...suites].map(([name, ofSuite]) => {
    const { total, fail, skip } = totalsOf(ofSuite)
    const seconds = (of: 'ms' | 'cpuMs') => Math.round(ofSuite.reduce((sum, result) => sum + result[of], 0) / 1000)
    return [name, ofSuite.length, total, fail, skip, seconds('ms'), seconds('cpuMs')]
  })
  const columns = ['suite', 'files', 'assertions', 'failed', 'skipped', 'seconds', 'of CPU']
  return [columns, ...rows].map((row) => `| ${row.map((cell, at) => String(cell).padEnd(at ? 10 : 20)).join(' | ')} |`)
}

/** The assertions of all files. A file that failed without a failed assertion counts as one. */
export function totalsOf(results: readonly FileResult[]): TestCounts {
  const totals: TestCounts = { total: 0, pass: 0, fail: 0, skip: 0, todo: 0 }
  for (const { ok, counts } of results) {
    for (const name of Object.keys(totals) as (keyof TestCounts)[]) totals[name] += counts[name]
    if (ok || counts.fail > 0) continue
    totals.total++
    totals.fail++
  }
  return totals
}

const totalsLine = ({ pass, fail, skip }: TestCounts) => `${pass} passed, ${fail} failed, ${skip} skipped`
