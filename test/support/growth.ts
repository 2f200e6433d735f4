const factor = 8
/** Between 1 for linear and 8 for quadratic time. */
export const maxGrowth = 2.8

/** The least time of a short text, and of all of them: what memory costs a longer text does not count below. */
const minMs = 0.05
const minMsInAll = 0.5
const firstLength = 1 << 11
/** What is faster than that at this length is not quadratic. */
const maxLength = 1 << 14
/** Enough for one measurement that neither the machine nor the garbage collector disturbs. */
const maxRuns = 12

/**
 * How many times longer `read` takes for one long text than for several short ones of the same length in all: about 1
 * where the time is linear to the length, about 8 where it is quadratic. On a busy machine both are delayed alike. It
 * measures again while the result is more than the limit. `textOf` makes a text.
 */
export function growth(read: (text: string) => void, textOf: (length: number) => string): number {
  let length = firstLength
  let short = textOf(length)
  while (msOf(read, [short]) < minMs && length < maxLength) {
    length *= 2
    short = textOf(length)
  }
  const shorts = Array.from({ length: factor }, () => short)
  const long = [textOf(length * factor)]
  let shortMs = Number.POSITIVE_INFINITY
  let longMs = Number.POSITIVE_INFINITY
  let times = Number.POSITIVE_INFINITY
  for (let run = 0; run < maxRuns && times > maxGrowth; run++) {
    shortMs = Math.min(shortMs, msOf(read, shorts))
    longMs = Math.min(longMs, msOf(read, long))
    times = longMs / Math.max(shortMs, minMsInAll)
  }
  return times
}

function msOf(read: (text: string) => void, texts: string[]): number {
  const startedAt = performance.now()
  for (const text of texts) {
    try {
      read(text)
    } catch {
      // A refusal is an answer as well.
    }
  }
  return performance.now() - startedAt
}
