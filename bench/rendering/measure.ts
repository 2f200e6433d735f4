import { setTimeout as sleep } from 'node:timers/promises'
import type { BenchDocument } from '../documents/document.ts'
import { ownCpuMs, treeCpuMs, treePssMb } from '../machine/process-tree.ts'
import type { Strategy } from '../strategies/strategy.ts'

export interface Segment {
  /** Documents a second. */
  rate: number
  latenciesMs: number[]
  cpuMs: number
  pssMb: number
  bytes: number
}

export interface SegmentOptions {
  concurrency: number
  /** At least this long, and a document for each worker. */
  ms: number
}

/** What is done ahead of time or put off until later belongs to the documents it is done for. */
const settleMs = 150

/** One strategy and one document for a moment; the rounds bring each its turn again. */
export async function measure(
  strategy: Strategy,
  document: BenchDocument,
  { concurrency, ms }: SegmentOptions,
): Promise<Segment> {
  await strategy.prepare?.(document, concurrency)
  const workers = Array.from({ length: concurrency }, (_, worker) => worker)
  await Promise.all(workers.map((worker) => strategy.render(document, worker)))
  await sleep(settleMs)

  const cpuBefore = cpuOf(strategy)
  const startedAt = performance.now()
  const latenciesMs: number[] = []
  let begun = 0
  let bytes = 0
  const work = async (worker: number) => {
    while (begun < Math.max(2, concurrency) || performance.now() - startedAt < ms) {
      begun += 1
      const before = performance.now()
      const rendered = await strategy.render(document, worker)
      latenciesMs.push(rendered.latencyMs ?? performance.now() - before)
      bytes = rendered.bytes
    }
  }
  await Promise.all(workers.map(work))
  const elapsedMs = performance.now() - startedAt
  const pssMb = treePssMb(strategy.roots())
  await sleep(settleMs)
  return {
    ...{ latenciesMs, pssMb, bytes },
    rate: (latenciesMs.length * 1_000) / elapsedMs,
    cpuMs: (cpuOf(strategy) - cpuBefore) / latenciesMs.length,
  }
}

function cpuOf({ roots, inProcess }: Strategy): number {
  return treeCpuMs(roots()) + (inProcess ? ownCpuMs() : 0)
}
