/** A CSS length with its unit (CSS Values 4, 6.2). */
export const cssLengthPattern = '^\\d{1,6}(\\.\\d{1,6})?(mm|cm|in|pt|pc|px)$'

const mmPerUnit: Record<string, number> = { mm: 1, cm: 10, in: 25.4, pt: 25.4 / 72, pc: 25.4 / 6, px: 25.4 / 96 }

/** Millimetres of a CSS length; undefined where it is none. */
export function lengthMm(length: string): number | undefined {
  const unit = length.slice(-2).toLowerCase()
  const digits = length.slice(0, -2)
  const perUnit = mmPerUnit[unit]
  const value = digits.trim() === '' ? Number.NaN : Number(digits)
  return perUnit === undefined || !Number.isFinite(value) ? undefined : value * perUnit
}
