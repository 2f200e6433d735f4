/** Something that took time. Without an end it goes on. */
export interface Interval {
  startMs: number
  endMs: number
}

/** A part of the axis, from 0 to 1. In a `gap` nothing happened: it is drawn shorter than it was. */
export interface Segment extends Interval {
  kind: 'work' | 'gap'
  from: number
  to: number
}

export interface Axis {
  segments: readonly Segment[]
  ticks: readonly { at: number; ms: number }[]
  /** The place of a time, from 0 to 1. */
  placeOf(ms: number): number
}

/** A gap is drawn shorter if it is longer than this, and than a fifth of the work. */
const shortestGapMs = 250
const gapShare = 0.2
/** What a gap has of the width, and all gaps together at most. */
const gapWidth = 0.08
const allGapsWidth = 0.5
const ticksPerAxis = 6

/**
 * The axis of a timeline, on which a document of 200 ms and webhooks of three days can both be read: it is linear, but for gaps in
 * which nothing was done. `intervals` are in ms since the request.
 */
export function timelineAxis(intervals: readonly Interval[]): Axis {
  const work = merged(intervals)
  const segments = withPlaces(work)
  const placeOf = (ms: number) => {
    const segment = segments.find(({ endMs }) => ms <= endMs) ?? segments.at(-1)
    if (segment === undefined) return 0
    const { startMs, endMs, from, to } = segment
    const share = endMs === startMs ? 0 : (ms - startMs) / (endMs - startMs)
    return from + Math.min(1, Math.max(0, share)) * (to - from)
  }
  return { segments, ticks: ticksOf(segments), placeOf }
}

/** Intervals that overlap, or have a gap between them that is not worth a break. */
function merged(intervals: readonly Interval[]): Interval[] {
  const sorted = intervals.toSorted((one, other) => one.startMs - other.startMs)
  const longest = sorted.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0)
  const limit = Math.max(shortestGapMs, longest * gapShare)
  const result: Interval[] = []
  for (const { startMs, endMs } of sorted) {
    const last = result.at(-1)
    if (last !== undefined && startMs - last.endMs <= limit) last.endMs = Math.max(last.endMs, endMs)
    else result.push({ startMs, endMs: Math.max(endMs, startMs + 1) })
  }
  return result
}

function withPlaces(work: readonly Interval[]): Segment[] {
  const gaps = Math.max(0, work.length - 1)
  const gap = gaps === 0 ? 0 : Math.min(gapWidth, allGapsWidth / gaps)
  const workWidth = 1 - gap * gaps
  const total = work.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0)
  const segments: Segment[] = []
  let from = 0
  for (const { startMs, endMs } of work) {
    const before = segments.at(-1)
    if (before !== undefined) {
      segments.push({ kind: 'gap', startMs: before.endMs, endMs: startMs, from, to: from + gap })
      from += gap
    }
    const to = from + (workWidth * (endMs - startMs)) / total
    segments.push({ kind: 'work', startMs, endMs, from, to })
    from = to
  }
  return segments
}

/** Round times on the parts where something was done. */
function ticksOf(segments: readonly Segment[]): { at: number; ms: number }[] {
  const ticks: { at: number; ms: number }[] = []
  for (const { kind, startMs, endMs, from, to } of segments) {
    if (kind === 'gap') continue
    const count = Math.floor((to - from) * ticksPerAxis)
    if (count < 1) continue
    const step = roundStep((endMs - startMs) / count)
    for (let ms = 0; startMs + ms <= endMs; ms += step) {
      const at = from + (ms / (endMs - startMs)) * (to - from)
      // The length of a gap is written above it, and is wider than the gap.
      const isClear = (from === 0 || at > from + gapWidth) && (to > 0.999 || at < to - gapWidth)
      if (at < 0.94 && isClear) ticks.push({ at, ms: startMs + ms })
    }
  }
  return ticks
}

const steps = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000, 300_000, 3_600_000]
const roundStep = (ms: number) => steps.find((step) => step >= ms) ?? 86_400_000
