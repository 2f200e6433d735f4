import { setTimeout as sleep } from 'node:timers/promises'
import type { BenchDocument } from '../documents/document.ts'
import { cpuMsBetween, ownCpuMs, processTree, treePssMb } from '../machine/process-tree.ts'
import { median } from '../machine/statistics.ts'
import type { Strategy } from '../strategies/strategy.ts'

export interface Segment {
  /** Documents a second. */
  rate: number
  latenciesMs: number[]
  p50Ms: number
  cpuMs: number
  pssMb: number
  bytes: number
}

export interface SegmentOptions {
  concurrency: number
  /** The shortest duration. Each worker prints at least one document. */
  ms: number
}

/** Pause before and after a segment, so that work done ahead or afterwards counts for the document it belongs to. */
const pauseMs = 150

/** Measures one strategy with one document. */
export async function measure(
  strategy: Strategy,
  document: BenchDocument,
  { concurrency, ms }: SegmentOptions,
): Promise<Segment> {
  await strategy.prepare?.(document, concurrency)
  const workers = Array.from({ length: concurrency }, (_, worker) => worker)
  await together(workers, (worker) => strategy.render(document, worker))
  await sleep(pauseMs)

  const cpuBefore = lookAtCpu(strategy)
  const startedAt = performance.now()
  const latenciesMs: number[] = []
  let started = 0
  let bytes = 0
  const work = async (worker: number) => {
    while (started < Math.max(2, concurrency) || performance.now() - startedAt < ms) {
      started += 1
      const before = performance.now()
      const rendered = await strategy.render(document, worker)
      if (!(rendered.bytes > 0)) throw new Error('the answer is no PDF')
      latenciesMs.push(rendered.latencyMs ?? performance.now() - before)
      bytes = rendered.bytes
    }
  }
  await together(workers, work)
  const elapsedMs = performance.now() - startedAt
  const pssMb = treePssMb(strategy.roots())
  await sleep(pauseMs)
  const cpuAfter = lookAtCpu(strategy)
  const cpuMs = cpuMsBetween(cpuBefore.tree, cpuAfter.tree) + cpuAfter.ownMs - cpuBefore.ownMs
  return {
    latenciesMs,
    p50Ms: median(latenciesMs),
    pssMb,
    bytes,
    rate: (latenciesMs.length * 1_000) / elapsedMs,
    cpuMs: cpuMs / latenciesMs.length,
  }
}

/** Rejects only when all workers have ended, so that a strategy that fails does not run beside the next one. */
async function together(workers: readonly number[], work: (worker: number) => Promise<unknown>): Promise<void> {
  const outcomes = await Promise.allSettled(workers.map(work))
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
}

function lookAtCpu({ roots, inProcess }: Strategy) {
  return { tree: processTree(roots()), ownMs: inProcess ? ownCpuMs() : 0 }
}
