import { setTimeout as delay } from 'node:timers/promises'
import { pssMb } from '../machine/process-tree.ts'
import { quantile } from '../machine/statistics.ts'
import { watchOthers } from '../machine/used-by-others.ts'
import { type Counted, openCounters } from './counters.ts'
import { type Deployment, type DeploymentPlan, type MeasuredProcess, startDeployment } from './deployment.ts'
import { type Load, openLoad } from './load.ts'
import type { Pace, Part, PartCost, ScaleRow, Workload } from './result.ts'

export interface RowPlan extends DeploymentPlan {
  workload: Workload
  pace: Pace
  /** Documents of each unit before the measurement, so that its code is compiled, and in it. */
  warmUp: number
  documents: number
  /** Until what the load has caused is done. */
  settleMs: number
  restMs: number
}

/** Starts the deployment, measures it under load and then at rest, and stops it. */
export async function measureRow(plan: RowPlan): Promise<ScaleRow> {
  const { name: deployment, workload, pace, size, partitions, slots, print } = plan
  await using running = await startDeployment(plan)
  await using counters = await openCounters(running)
  // Enough that each slot finds a document, and not so many that the last ones wait for seconds.
  const inFlight = pace === 'paced' ? 2 * slots * size + 2 : 16 * size
  await using load = await openLoad(running, { workload, inFlight })
  const begun = load.begin()
  await printed(begun, plan.warmUp * size)
  const readOthers = watchOthers()
  const first = begun.latenciesMs.length
  const before = await counters.read()
  await printed(begun, first + plan.documents)
  const after = await counters.read()
  const latenciesMs = begun.latenciesMs.slice(first)
  const usedByOthers = readOthers()
  const processes: MeasuredProcess[] = [...running.processes, { part: 'client', pid: process.pid }]
  const memory = new Map(processes.map(({ pid }) => [pid, pssMb(pid)]))
  await begun.stop()
  // Behind the load, when all code is compiled and the last events are published.
  await delay(plan.settleMs)
  const resting = await counters.read()
  await delay(plan.restMs)
  const rested = await counters.read()
  const documents = latenciesMs.length
  const seconds = (after.atMs - before.atMs) / 1_000
  const rest = { from: resting, to: rested }
  const loaded = { from: before, to: after, documents }
  return {
    deployment,
    workload,
    pace,
    size,
    partitions,
    slots,
    printMs: print.ms,
    cores: running.cores,
    seconds,
    documents,
    rate: documents / seconds,
    p50Ms: quantile(latenciesMs, 0.5),
    p95Ms: quantile(latenciesMs, 0.95),
    parts: costsOf(processes, rest, loaded, memory),
    ...(running.counters && countsOf(rest, loaded, running.counters)),
    usedByOthers,
    busiest: busiestOf(processes, before, after),
  }
}

const pollMs = 20

/** Resolves when so many documents are ready. Rejects when one has failed. */
async function printed(load: Load, documents: number): Promise<void> {
  while (load.latenciesMs.length < documents) await Promise.race([load.failed, delay(pollMs)])
}

interface Span {
  from: Counted
  to: Counted
}
interface LoadedSpan extends Span {
  documents: number
}

const secondsOf = ({ from, to }: Span) => (to.atMs - from.atMs) / 1_000
const cpuOf = ({ from, to }: Span, pid: number) => (to.cpuMs.get(pid) ?? 0) - (from.cpuMs.get(pid) ?? 0)

function costsOf(
  processes: readonly MeasuredProcess[],
  rest: Span,
  loaded: LoadedSpan,
  memory: ReadonlyMap<number, number>,
): Partial<Record<Part, PartCost>> {
  const ofParts = [...Map.groupBy(processes, ({ part }) => part)].map(([part, those]) => {
    const sum = (of: (pid: number) => number) => those.reduce((total, { pid }) => total + of(pid), 0)
    const restMs = sum((pid) => cpuOf(rest, pid)) / secondsOf(rest)
    const flushes = (loaded.to.flushes[part] ?? 0) - (loaded.from.flushes[part] ?? 0)
    const cost: PartCost = {
      processes: those.length,
      cpuMs: sum((pid) => cpuOf(loaded, pid)) / loaded.documents,
      restMs: restMs / those.length,
      pssMb: sum((pid) => memory.get(pid) ?? 0) / those.length,
      ...(Object.keys(loaded.to.flushes).length > 0 && { flushes: flushes / loaded.documents }),
    }
    return [part, cost] as const
  })
  return Object.fromEntries(ofParts)
}

/** A document, without what happens at rest. */
function countsOf(rest: Span, loaded: LoadedSpan, counters: NonNullable<Deployment['counters']>) {
  const count = (of: (counted: Counted) => number) => {
    const atRest = (of(rest.to) - of(rest.from)) / secondsOf(rest)
    return Math.max(0, of(loaded.to) - of(loaded.from) - atRest * secondsOf(loaded)) / loaded.documents
  }
  const methods = Object.keys(loaded.to.objectRequests)
  const requests = methods.map((method) => [method, count(({ objectRequests }) => objectRequests[method] ?? 0)])
  return {
    messages: count(({ messages }) => messages),
    messageBytes: count(({ messageBytes }) => messageBytes),
    stored: {
      commands: count(({ commands }) => commands),
      events: count(({ events }) => events),
      eventBytes: count(({ eventBytes }) => eventBytes),
    },
    appends: count(({ appends }) => appends),
    ...(counters.objectStore !== undefined && { objectRequests: Object.fromEntries(requests) }),
  }
}

function busiestOf(processes: readonly MeasuredProcess[], from: Counted, to: Counted): ScaleRow['busiest'] {
  const shares = processes.map(({ part, pid }) => ({ part, share: cpuOf({ from, to }, pid) / (to.atMs - from.atMs) }))
  return shares.reduce((most, one) => (one.share > most.share ? one : most))
}
