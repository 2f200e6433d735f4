export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
}

export const median = (values: readonly number[]): number => quantile(values, 0.5)

export type Interval = readonly [low: number, high: number]

/** How sure an interval is to contain the median of all rounds that could have been measured. */
const confidence = 0.9

/**
 * A confidence interval of the median for any distribution: the two closest values with 90 % coverage. Below five
 * values it is their range, with less coverage.
 */
export function medianInterval(values: readonly number[]): Interval {
  const sorted = values.toSorted((one, other) => one - other)
  const count = sorted.length
  let [left, outside] = [0, 0.5 ** count]
  // `outside`: how likely at most `left` of the values are below the median, which is the sum of binomial terms.
  for (let term = outside; ; left++) {
    term *= (count - left) / (left + 1)
    outside += term
    if (2 * outside > 1 - confidence || 2 * (left + 1) >= count) break
  }
  return [sorted[left] ?? Number.NaN, sorted[count - 1 - left] ?? Number.NaN]
}
