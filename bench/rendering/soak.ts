import { join } from 'node:path'
import type { BenchDocument } from '../documents/document.ts'
import { treePssMb } from '../machine/process-tree.ts'
import { median, quantile } from '../machine/statistics.ts'
import { expectAnswer, openPlaten } from '../strategies/running-platen.ts'

export interface SoakResult {
  renders: number
  rate: number
  p50Ms: number
  p95Ms: number
  maxMs: number
  /** The longest time without a completed document. Work was always waiting. */
  longestGapMs: number
  /** The number of browsers that were replaced. */
  recycled: number
  /** Samples of the proportional set size of all processes, oldest first. */
  pssMb: number[]
  /** The median of the last quarter over that of the second quarter. In the first quarter caches are filled. */
  growth: number
}

const pssSamples = 40

/** Many documents of both modes, four at once. Memory must stay flat, and replacing a browser must not delay documents. */
export async function soak(documents: readonly BenchDocument[], renders: number): Promise<SoakResult> {
  await using platen = await openPlaten({}, join(import.meta.dirname, 'short-lived-browsers.ts'))
  const latencies: number[] = []
  const pssMb: number[] = []
  const every = Math.max(1, Math.floor(renders / pssSamples))
  let started = 0
  let lastAt = performance.now()
  let longestGapMs = 0
  const startedAt = performance.now()
  const work = async () => {
    while (started < renders) {
      const document = documents[started++ % documents.length]
      const before = performance.now()
      expectAnswer(await platen.client.post('/v1/generate', { html: document?.html }), 200)
      const now = performance.now()
      latencies.push(now - before)
      longestGapMs = Math.max(longestGapMs, now - lastAt)
      lastAt = now
      if (latencies.length % every === 0) pssMb.push(treePssMb([platen.pid]))
    }
  }
  await Promise.all(Array.from({ length: 4 }, work))
  const elapsedMs = performance.now() - startedAt
  const quarter = Math.floor(pssMb.length / 4)
  return {
    renders,
    rate: (renders * 1_000) / elapsedMs,
    pssMb,
    longestGapMs,
    p50Ms: quantile(latencies, 0.5),
    p95Ms: quantile(latencies, 0.95),
    maxMs: Math.max(...latencies),
    recycled: platen.output().split('browser replaced').length - 1,
    growth: median(pssMb.slice(-quarter)) / median(pssMb.slice(quarter, 2 * quarter)),
  }
}
