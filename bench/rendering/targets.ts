import { type Interval, median, medianInterval } from '../machine/statistics.ts'
import type { BacklogResult } from './backlog.ts'
import type { Row } from './rounds.ts'
import type { SoakResult } from './soak.ts'

/** A target, the value of this run, and whether the target is met. */
export interface Target {
  name: string
  value: number
  /** Interval of the median of the rounds, if there are several. */
  interval?: Interval
  limit: number
  /** `least`: the value must be at least the limit. `most`: at most the limit. */
  bound: 'least' | 'most'
  unit: '' | 'ms' | '/s'
  met: boolean
}

/** A value, or one of each round, of which the median counts. */
type Measured = number | readonly number[]

const medianOf = (measured: Measured) =>
  typeof measured === 'number' ? { value: measured } : { value: median(measured), interval: medianInterval(measured) }

function atLeast(name: string, measured: Measured, limit: number, unit: Target['unit'] = ''): Target {
  const found = medianOf(measured)
  return { name, ...found, limit, bound: 'least', unit, met: found.value >= limit }
}

function atMost(name: string, measured: Measured, limit: number, unit: Target['unit'] = ''): Target {
  const found = medianOf(measured)
  return { name, ...found, limit, bound: 'most', unit, met: found.value <= limit }
}

export function rowTargets(rows: readonly Row[]): Target[] {
  const documents = [...new Set(rows.map(({ document }) => document))]
  return documents.flatMap((document) =>
    documentTargets(
      document,
      rows.filter((row) => row.document === document),
    ),
  )
}

/** The limits of a document: of throughput over the bare page, and of one request, in ms above the bare page. */
const limits: Readonly<Record<string, { overBare: number; aboveMs: number }>> = {
  label: { overBare: 0.65, aboveMs: 4 },
  invoice: { overBare: 0.78, aboveMs: 4 },
  report: { overBare: 0.8, aboveMs: 8 },
}
const overFloor = 0.9
const overIsolated = 0.85
const aboveIsolatedMs = 15

function documentTargets(document: string, rows: readonly Row[]): Target[] {
  const of = (id: string) => rows.filter(({ strategy }) => strategy === id)
  const [platen, floor, bare] = [of('f'), of('n'), of('b')]
  if (platen.length === 0) return []
  const single = (some: readonly Row[]) => some.find(({ concurrency }) => concurrency === 1)?.p50sMs ?? []
  const above = (some: readonly Row[]) => single(platen).map((ms, round) => ms - (single(some)[round] ?? Number.NaN))
  const one = `${document}: p50 of one sync request`
  const best = `${document}: Platen's best over`
  const limit = limits[document]
  if (bare.length === 0) {
    // Its bare page has failed or was not measured.
    if (limit) return []
    const isolated = rows.filter((row) => row.isolated && !['f', 'g', 'w'].includes(row.strategy))
    if (isolated.length === 0) return []
    const fastest = of('h')
    return [
      atLeast(`${best} the fastest isolated strategy, bare (documents/s)`, bestRatio(platen, isolated), overIsolated),
      ...(fastest.length > 0
        ? [atMost(`${one} over the fresh context's p50`, above(fastest), aboveIsolatedMs, 'ms')]
        : []),
    ]
  }
  if (!limit) return []
  return [
    ...(floor.length > 0
      ? [atLeast(`${best} the floor program's best (documents/s)`, bestRatio(platen, floor), overFloor)]
      : []),
    atLeast(`${best} the bare reused page's best (documents/s)`, bestRatio(platen, bare), limit.overBare),
    atMost(`${one} over the bare page's p50`, above(bare), limit.aboveMs, 'ms'),
  ]
}

/** The ratio of the best rates of each round. */
function bestRatio(ours: readonly Row[], theirs: readonly Row[]): number[] {
  const best = (some: readonly Row[], round: number) => Math.max(...some.map(({ rates }) => rates[round] ?? 0))
  return (ours[0]?.rates ?? []).map((_, round) => best(ours, round) / best(theirs, round))
}

export function backlogTargets({ queued, enqueuedPerS, idleP95Ms, underBacklogP95Ms, jobMs }: BacklogResult): Target[] {
  return [
    atLeast('enqueued, each flushed, while nothing is rendered', enqueuedPerS, 2_000, '/s'),
    atMost(
      `sync p95 under ${queued} queued batch jobs: idle p95 + one job`,
      underBacklogP95Ms,
      idleP95Ms + jobMs,
      'ms',
    ),
  ]
}

/** Chromium's caches and V8's heap vary by up to a tenth. */
const flatGrowth = 1.1

export function soakTargets({ renders, growth, longestGapMs, p95Ms }: SoakResult): Target[] {
  return [
    atMost(`soak of ${renders}: memory of the last quarter over the second`, growth, flatGrowth),
    atMost(`soak of ${renders}: longest time without a document (2 × p95)`, longestGapMs, 2 * p95Ms, 'ms'),
  ]
}
