import { randomBytes } from 'node:crypto'
import { endOfJsonString } from './json-string.ts'

// JSON with integers of any size. Those beyond ±9007199254740991 are a bigint in memory, as a number would change them.

/** https://tc39.es/proposal-json-parse-with-source/, which the types of the language do not have yet. */
const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown }

/** Like JSON.stringify, which throws a TypeError for a bigint. A value without one, which is nearly every one, takes no longer. */
export function stringifyExact(value: unknown, indent?: number): string {
  try {
    return JSON.stringify(value, null, indent)
  } catch {
    return JSON.stringify(withRawIntegers(value), null, indent)
  }
}

/**
 * The value with each bigint replaced by an object that JSON.stringify, also of a client library, writes as its digits.
 * The value itself if there is none. JSON.stringify with a replacer function takes twice as long.
 */
export function withRawIntegers(value: unknown): unknown {
  if (typeof value === 'bigint') return rawJSON(value.toString())
  if (typeof value !== 'object' || value === null) return value
  let copy: object | undefined
  for (const name of Object.keys(value)) {
    const item: unknown = Reflect.get(value, name)
    if (typeof item !== 'object' && typeof item !== 'bigint') continue
    const raw = withRawIntegers(item)
    if (raw === item) continue
    copy ??= Array.isArray(value) ? [...value] : { ...value }
    Reflect.set(copy, name, raw)
  }
  return copy ?? value
}

/** Shorter runs of digits always fit into a number. */
const minDigits = 16
const quote = 0x22
const minus = 0x2d
const zero = 0x30
const nine = 0x39

/**
 * Prefix of the strings that stand for integers while a text is parsed. It is random, so that no other string begins
 * with it.
 */
const mark = `integer ${randomBytes(18).toString('base64url')} `

/** Like JSON.parse. A text without many digits in a row, which is nearly every one, takes no longer. */
export function parseExact(text: string): unknown {
  const marked = markIntegers(text)
  const value = parseMarked(text, marked)
  return marked === text ? value : restoreMarked(value)
}

/**
 * The JSON text with a string in place of each integer that a number cannot hold; the same text if there is none, and
 * undefined if there are more than `max`. JSON.parse with a reviver function takes four times as long as `markIntegers`
 * and `restoreMarked`.
 */
export function markIntegers(text: string): string
export function markIntegers(text: string, max: number): string | undefined
export function markIntegers(text: string, max = Number.POSITIVE_INFINITY): string | undefined {
  if (!hasManyDigits(text)) return text
  const parts: string[] = []
  let copied = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) {
      at = endOfJsonString(text, at)
    } else if (isDigit(code)) {
      const end = endOfDigits(text, at)
      if (end - at >= minDigits && isTooLarge(text, at, end)) {
        if (parts.length >= 2 * max) return undefined
        const start = text.charCodeAt(at - 1) === minus ? at - 1 : at
        parts.push(text.slice(copied, start), `"${mark}${text.slice(start, end)}"`)
        copied = end
      }
      at = end - 1
    }
  }
  return copied === 0 ? text : parts.join('') + text.slice(copied)
}

/** Throws SyntaxError with the message about the text, not the marked one. */
export function parseMarked(text: string, marked: string): unknown {
  try {
    return JSON.parse(marked)
  } catch {
    return JSON.parse(text)
  }
}

/** Puts the integers in the places of the strings that stand for them, in the value itself. */
export function restoreMarked(value: unknown): unknown {
  if (typeof value === 'string') return value.startsWith(mark) ? BigInt(value.slice(mark.length)) : value
  if (typeof value !== 'object' || value === null) return value
  const parent = value as Record<string, unknown>
  for (const name in parent) {
    const child = parent[name]
    const restored = restoreMarked(child)
    if (restored !== child) parent[name] = restored
  }
  return value
}

/**
 * Whether the digits are an integer that a JavaScript number would change. Parts of a fraction or exponent, and numbers
 * with leading zeros, are not. An integer beyond the largest number is not either: it is read as infinity, which the
 * gateway refuses.
 */
function isTooLarge(text: string, start: number, end: number): boolean {
  if (text.charCodeAt(start) === zero || /[.eE+]/.test(text.charAt(end))) return false
  const before = text.charAt(start - 1) === '-' ? start - 2 : start - 1
  if (/[.eE+]/.test(text.charAt(before))) return false
  const number = Number(text.slice(start, end))
  return !Number.isSafeInteger(number) && Number.isFinite(number)
}

/** Checks every n-th character only: a run of n digits includes one of them. Others are checked only around a digit. */
function hasManyDigits(text: string): boolean {
  for (let at = minDigits - 1; at < text.length; at += minDigits) {
    if (!isDigit(text.charCodeAt(at))) continue
    let start = at
    while (isDigit(text.charCodeAt(start - 1))) start--
    if (endOfDigits(text, at) - start >= minDigits) return true
  }
  return false
}

function endOfDigits(text: string, start: number): number {
  let end = start
  while (isDigit(text.charCodeAt(end))) end++
  return end
}

const isDigit = (code: number) => code >= zero && code <= nine
