import { quantile } from '../machine/statistics.ts'

/** Latency of one operation at a time, and throughput of concurrent operations. */
export interface Timing {
  p50Ms: number
  p95Ms: number
  /** Operations a second with `atOnce` concurrent operations. */
  perS: number
  atOnce: number
}

export interface TimingPlan {
  samples: number
  atOnce: number
}

/** Runs the samples one after the other, then the same number with `atOnce` concurrent runs. Each run gets its own number. */
export async function time(run: (number: number) => Promise<unknown>, plan: TimingPlan): Promise<Timing> {
  const { samples, atOnce } = plan
  let number = 0
  // Connections opened at first use are not measured.
  for (let warming = 0; warming < 3; warming++) await run(number++)
  const latencies: number[] = []
  for (let sample = 0; sample < samples; sample++) {
    const startedAt = performance.now()
    await run(number++)
    latencies.push(performance.now() - startedAt)
  }
  const startedAt = performance.now()
  let started = 0
  const work = async () => {
    while (started++ < samples) await run(number++)
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  const seconds = (performance.now() - startedAt) / 1_000
  return { p50Ms: quantile(latencies, 0.5), p95Ms: quantile(latencies, 0.95), perS: samples / seconds, atOnce }
}
