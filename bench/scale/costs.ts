import type { DeploymentName, Pace, Part, PartCost, ScaleResult, ScaleRow } from './result.ts'

/**
 * What a part costs without what it uses at rest, as a line through the runs of all sizes: `sharedMs` a document is divided among its processes, `eachMs` a document is
 * paid by each of them, such as the fold of an event into the view of each gateway.
 */
export interface FittedCost {
  sharedMs: number
  eachMs: number
  /** Processor time a second of one process at rest. */
  restMs: number
  pssMb: number
  /** Flushes a document. */
  flushes: number
}

/** The deployment whose sizes were measured, and that grows beyond one machine. */
export const scaled: DeploymentName = 'processes, EventStoreDB'

export const rowsOf = (
  { rows }: Pick<ScaleResult, 'rows'>,
  wanted: Partial<Pick<ScaleRow, 'deployment' | 'workload' | 'pace' | 'size'>>,
): ScaleRow[] =>
  rows.filter((row) => (Object.keys(wanted) as (keyof typeof wanted)[]).every((field) => row[field] === wanted[field]))

/**
 * The costs of a document that a client waits for. In the paced runs a process handles one event at a time, in the saturated ones
 * those that have come together.
 */
export function fitCosts(result: Pick<ScaleResult, 'rows'>, pace: Pace = 'paced'): Record<Part, FittedCost> {
  const rows = rowsOf(result, { deployment: scaled, workload: 'sync', pace })
  const names = [...new Set(rows.flatMap(({ parts }) => Object.keys(parts) as Part[]))]
  return Object.fromEntries(names.map((part) => [part, fitPart(rows, part)])) as Record<Part, FittedCost>
}

const meanOf = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0) / values.length

/** These read the events of all documents, whatever their number. Others share the documents, and differ by size by chance only. */
const readers: readonly Part[] = ['gateway', 'notifier', 'relay', 'event store']

/** The event store sends the events to each gateway. */
export const countOf = (part: Part, { size, partitions }: Pick<ScaleRow, 'size' | 'partitions'>): number =>
  part === 'relay' ? partitions : size

function fitPart(rows: readonly ScaleRow[], part: Part): FittedCost {
  const seen = rows.flatMap((row) => (row.parts[part] ? [{ row, cost: row.parts[part] }] : []))
  // The rest of a load on a busy machine is no rest: the quietest run tells what a process does then.
  const restMs = Math.min(...seen.map(({ cost }) => cost.restMs))
  const withoutRest = ({ seconds, documents }: ScaleRow, { cpuMs, processes }: PartCost) =>
    Math.max(0, cpuMs - (restMs * processes * seconds) / documents)
  const points = seen.map(({ row, cost }) => [countOf(part, row), withoutRest(row, cost)] as const)
  const mean = (of: (cost: PartCost) => number) => meanOf(seen.map(({ cost }) => of(cost)))
  return {
    ...(readers.includes(part) ? fitLine(points) : { sharedMs: meanOf(points.map(([, ms]) => ms)), eachMs: 0 }),
    restMs,
    pssMb: mean(({ pssMb }) => pssMb),
    flushes: mean(({ flushes = 0 }) => flushes),
  }
}

/** Least squares. A line that falls, or begins below zero, would promise what no process does: then all is shared, or all is each one's. */
export function fitLine(
  points: readonly (readonly [size: number, ms: number])[],
): Pick<FittedCost, 'sharedMs' | 'eachMs'> {
  const mean = (of: (point: readonly [number, number]) => number) => meanOf(points.map(of))
  const [size, ms] = [mean(([one]) => one), mean(([, one]) => one)]
  const spread = mean(([one]) => (one - size) ** 2)
  const slope = spread === 0 ? 0 : mean(([one, other]) => (one - size) * (other - ms)) / spread
  const eachMs = Math.min(Math.max(0, slope), mean(([one, other]) => one * other) / mean(([one]) => one ** 2))
  return { sharedMs: Math.max(0, ms - eachMs * size), eachMs }
}

/** Processor time of a document in all processes of a part, when it has so many. */
export const documentMs = ({ sharedMs, eachMs }: Pick<FittedCost, 'sharedMs' | 'eachMs'>, processes: number): number =>
  sharedMs + eachMs * processes

/** The share of a core that each of them uses. */
export const shareOf = (cost: FittedCost, processes: number, perSecond: number): number =>
  (cost.restMs + (perSecond * documentMs(cost, processes)) / processes) / 1_000
