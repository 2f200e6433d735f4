import type { Failure } from '../rendering/failures.ts'
import type { Row } from '../rendering/rounds.ts'
import type { Target } from '../rendering/targets.ts'
import { between, significant, textTable } from './text-table.ts'

export function rowsTable(rows: readonly Row[], failures: readonly Failure[]): string {
  const header = [
    'document',
    '',
    'strategy',
    'at once',
    'documents/s',
    'of the rounds',
    'p50 ms',
    'p95 ms',
    'CPU ms each',
    'PSS MB',
    ...(failures.length > 0 ? [''] : []),
  ]
  const unmeasured = header.slice(3, -1).map(() => '–')
  return textTable(header, [
    ...rows.map((row) => [
      ...[row.document, row.strategy, row.name, String(row.concurrency)],
      ...[significant(row.rate), between(row.interval), significant(row.p50Ms), significant(row.p95Ms)],
      // Unknown for processes of another machine, and memory for a browser per render, which has exited.
      ...[row.cpuMs === 0 ? '–' : significant(row.cpuMs), row.pssMb === 0 ? '–' : row.pssMb.toFixed(0)],
    ]),
    ...failures.map(({ document, strategy, name, reason }) => [
      document,
      strategy,
      name,
      ...unmeasured,
      `failed: ${reason}`,
    ]),
  ])
}

export function targetsTable(targets: readonly Target[]): string {
  return textTable(
    ['target', 'measured', 'of the rounds', 'limit', ''],
    targets.map(({ name, value, interval, limit, bound, unit, met }) => [
      name,
      `${significant(value)} ${unit}`.trim(),
      interval ? between(interval) : '–',
      `${bound === 'least' ? '≥' : '≤'} ${significant(limit)} ${unit}`.trim(),
      met ? 'met' : 'MISSED',
    ]),
  )
}
