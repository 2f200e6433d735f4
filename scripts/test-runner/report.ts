import type { FileResult } from './run-file.ts'

/** A file as a test of the report of all files, in TAP 14. */
export function tapOf({ file, ok, ms, report, problems }: FileResult, number: number): string {
  const indented = report.trimEnd().replace(/^(?=.)/gm, '    ')
  const line = `${ok ? 'ok' : 'not ok'} ${number} - ${file} # time=${Math.round(ms)}ms`
  return `# Subtest: ${file}\n${indented}\n${line}\n${diagnostic(problems)}\n`
}

function diagnostic(problems: FileResult['problems']): string {
  const entries = Object.entries(problems)
  if (entries.length === 0) return ''
  const lines = entries.map(([name, text]) => `  ${name}: |\n${text.replace(/^/gm, '    ')}\n`)
  return `  ---\n${lines.join('')}  ...\n`
}

export interface Totals {
  total: number
  pass: number
  fail: number
  skip: number
  todo: number
}

/** The assertions of all files. A file that failed without a failed assertion is one more. */
export function totalsOf(results: readonly FileResult[]): Totals {
  const totals = { total: 0, pass: 0, fail: 0, skip: 0, todo: 0 }
  for (const { ok, report } of results) {
    const counted = /^# \{ (total: .*) \}$/m.exec(report)?.[1] ?? ''
    const counts = new Map(counted.split(', ').map((part) => part.split(': ') as [keyof Totals, string]))
    for (const [name, count] of counts) if (name in totals) totals[name] += Number(count)
    if (ok || counts.has('fail')) continue
    totals.total++
    totals.fail++
  }
  return totals
}

/** The totals in the format of tap, which leaves out zeros except for passed tests. */
export function totalsLine(totals: Totals): string {
  const parts = Object.entries(totals).filter(([name, count]) => count > 0 || name === 'total' || name === 'pass')
  return `# { ${parts.map(([name, count]) => `${name}: ${count}`).join(', ')} }`
}
