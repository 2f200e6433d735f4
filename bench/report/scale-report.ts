import { bottleneckOf } from '../scale/bottleneck.ts'
import { documentMs, fitCosts } from '../scale/costs.ts'
import { predictRates } from '../scale/predict.ts'
import { parts, type ScaleResult, type ScaleRow, s3Requests } from '../scale/result.ts'
import { significant, textTable } from './text-table.ts'

const percent = (share: number) => `${Math.round(share * 100)} %`
const optional = (value: number | undefined) => (value === undefined ? '–' : significant(value))
/** The first two columns. */
const cellsOf = ({ deployment, size, partitions, pace, workload }: ScaleRow) => [
  `${size} × ${deployment}${partitions > 1 ? `, ${partitions} partitions` : ''}`,
  workload === 'webhook' ? `${pace}, webhook` : pace,
]

/** All that `bench/scale.ts` prints: the runs, what a document costs, and the rates that follow from it. */
export function scaleTables(result: ScaleResult): string {
  const { machine, engines, flushMs, streamPerS } = result
  const others = Math.max(...result.rows.map(({ usedByOthers }) => usedByOthers))
  return [
    curve(result),
    costTable(result),
    countTable(result),
    fitTable(result),
    `${machine.cores} × ${machine.cpu}, Node ${machine.node}; other programs used up to ${percent(others)} of the processor. ` +
      `Event store: ${engines.eventStore}; object store: ${engines.objectStore}.\n` +
      `A flush takes ${significant(flushMs)} ms; one stream of nats-server stores ${significant(streamPerS)} messages a second, each flushed.`,
  ].join('\n\n')
}

function curve(result: ScaleResult): string {
  const predicted = new Map(predictRates(result).map(({ row, rate }) => [row, rate]))
  return textTable(
    ['run', 'pace', 'cores', 'documents/s', 'predicted', 'p50 ms', 'p95 ms', 'full'],
    result.rows.map((row) => {
      const rates = [significant(row.rate), optional(predicted.get(row))]
      return [
        ...cellsOf(row),
        row.cores,
        ...rates,
        row.p50Ms.toFixed(0),
        row.p95Ms.toFixed(0),
        bottleneckOf(row, result.machine.cores),
      ]
    }),
  )
}

/** Processor time a document. */
function costTable({ rows }: ScaleResult): string {
  const shown = parts.filter((part) => rows.some((row) => row.parts[part]))
  return textTable(
    ['CPU ms a document, with rest', 'pace', ...shown],
    rows.map((row) => {
      return [...cellsOf(row), ...shown.map((part) => optional(row.parts[part]?.cpuMs))]
    }),
  )
}

function countTable({ rows }: ScaleResult): string {
  return textTable(
    ['a document', 'pace', 'messages', 'KB', 'stored', 'appends', 'flushes', 'S3 requests'],
    rows.map((row) => {
      const flushes = Object.values(row.parts).map(({ flushes }) => flushes)
      const sum = flushes.some((one) => one !== undefined)
        ? flushes.reduce((total = 0, one = 0) => total + one, 0)
        : undefined
      const kilobytes = row.messageBytes === undefined ? undefined : row.messageBytes / 1_000
      const stored = row.stored && row.stored.commands + row.stored.events
      const counts = [row.messages, kilobytes, stored, row.appends, sum, s3Requests(row)]
      return [...cellsOf(row), ...counts.map(optional)]
    }),
  )
}

function fitTable(result: ScaleResult): string {
  return textTable(
    ['part', 'CPU ms a document, shared', 'in each process', 'with 4', 'at rest ms/s', 'MB each'],
    Object.entries(fitCosts(result)).map(([part, cost]) => [
      part,
      ...[cost.sharedMs, cost.eachMs, documentMs(cost, 4), cost.restMs].map(significant),
      cost.pssMb.toFixed(0),
    ]),
  )
}
