import { isLetter, isSpace } from './characters.ts'

const plus = 0x2b
const dash = 0x2d
const dot = 0x2e
const underscore = 0x5f

export const isDigit = (code: number) => code >= 0x30 && code <= 0x39
const isHexDigit = (code: number) => isDigit(code) || ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x66)
export const isNameStart = (code: number) => isLetter(code) || code >= 0x80 || code === underscore

/** The offset after a number such as `-1.5e3`; `start` if none begins there. */
export function endOfNumber(css: string, start: number): number {
  const whole = skipSign(css, start)
  let end = skipDigits(css, whole)
  if (css.charCodeAt(end) === dot && isDigit(css.charCodeAt(end + 1))) end = skipDigits(css, end + 1)
  if (end === whole) return start
  if ((css.charCodeAt(end) | 0x20) !== 0x65) return end
  const exponent = skipSign(css, end + 1)
  return isDigit(css.charCodeAt(exponent)) ? skipDigits(css, exponent) : end
}

function skipSign(css: string, at: number): number {
  const code = css.charCodeAt(at)
  return code === plus || code === dash ? at + 1 : at
}

function skipDigits(css: string, from: number): number {
  let end = from
  while (isDigit(css.charCodeAt(end))) end++
  return end
}

/** The offset after an escape whose backslash is before `start`. In a string, a line break may be escaped too. */
export function endOfEscape(css: string, start: number): number {
  let end = start
  while (end < start + 6 && isHexDigit(css.charCodeAt(end))) end++
  if (css.startsWith('\r\n', end)) return end + 2
  return end === start || isSpace(css.charCodeAt(end)) ? end + 1 : end
}
