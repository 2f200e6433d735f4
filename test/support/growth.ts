const factor = 8
/** Between 1 for linear and 8 for quadratic time. */
export const maxGrowth = 2.8

/** The least time of a short text, and of all of them: what memory costs a longer text does not count below. */
const minMs = 0.05
const minMsInAll = 0.5
const firstLength = 1 << 11
/** What is faster than that at this length is not quadratic. */
const maxLength = 1 << 14
const quickRuns = 12
const longMeasurements = 3
/** The processor time of a thread is counted in steps of a few milliseconds. */
const longMeasurementMs = 200

/**
 * How many times longer `read` takes for one long text than for several short ones of the same length in all: about 1
 * where the time is linear to the length, about 8 where it is quadratic. While the result is more than the limit, it
 * measures again: first by the clock, then for longer and by the processor time of this thread, which does not depend on
 * what else the machine does. `textOf` makes a text.
 */
export function growth(read: (text: string) => void, textOf: (length: number) => string): number {
  let length = firstLength
  let short = textOf(length)
  while (msOf(now, read, [short]) < minMs && length < maxLength) {
    length *= 2
    short = textOf(length)
  }
  const shorts = Array.from({ length: factor }, () => short)
  const long = [textOf(length * factor)]
  let shortMs = Number.POSITIVE_INFINITY
  let longMs = Number.POSITIVE_INFINITY
  let times = Number.POSITIVE_INFINITY
  for (let run = 0; run < quickRuns && times > maxGrowth; run++) {
    shortMs = Math.min(shortMs, msOf(now, read, shorts))
    longMs = Math.min(longMs, msOf(now, read, long))
    times = longMs / Math.max(shortMs, minMsInAll)
  }
  for (let run = 0; run < longMeasurements && times > maxGrowth; run++) times = longMeasurement(read, shorts, long)
  return times
}

function longMeasurement(read: (text: string) => void, shorts: string[], long: string[]): number {
  let shortMs = 0
  let longMs = 0
  while (shortMs + longMs < longMeasurementMs) {
    shortMs += msOf(processorTime, read, shorts)
    longMs += msOf(processorTime, read, long)
  }
  return longMs / shortMs
}

function msOf(clock: () => number, read: (text: string) => void, texts: string[]): number {
  const startedAt = clock()
  for (const text of texts) {
    try {
      read(text)
    } catch {
      // A refusal is an answer as well.
    }
  }
  return clock() - startedAt
}

const now = () => performance.now()

function processorTime(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}
