import { randomBytes } from 'node:crypto'
import { endOfJsonString } from './json-string.ts'

// JSON with integers of any size. Those beyond ±9007199254740991 are a bigint in memory, as a number would change them.

declare global {
  interface BigInt {
    toJSON(): unknown
  }
}

/** https://tc39.es/proposal-json-parse-with-source/, which the types of the language do not have yet. */
const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown }

/** Every JSON.stringify of the process writes a bigint as its digits, also that of a client library. */
BigInt.prototype.toJSON = function (this: bigint) {
  return rawJSON(this.toString())
}

/** A shorter text has no integer that a number cannot hold. The digits may also be those of a string or of a fraction. */
const manyDigits = /-?\d{16,}/g
/** Begins the string that stands for an integer while a text is parsed. No caller knows it, so no other string begins with it. */
const mark = `integer ${randomBytes(18).toString('base64url')} `

/** Like JSON.parse. A text without many digits in a row, which is nearly every one, takes no longer. */
export function parseExact(text: string): unknown {
  const marked = markIntegers(text)
  const value = parseMarked(text, marked)
  return marked === text ? value : restoreMarked(value)
}

/**
 * The JSON text with a string in place of each integer that a number cannot hold; the same text if there is none.
 * JSON.parse with a function that looks at each value takes four times as long as `markIntegers` and `restoreMarked`.
 */
export function markIntegers(text: string): string {
  manyDigits.lastIndex = 0
  let match = manyDigits.exec(text)
  if (match === null) return text
  const strings = new Strings(text)
  let marked = ''
  let copied = 0
  for (; match !== null; match = manyDigits.exec(text)) {
    const [digits] = match
    const start = match.index
    const end = start + digits.length
    if (!isInteger(text, start, end) || !isTooLarge(digits) || strings.hold(start)) continue
    marked += `${text.slice(copied, start)}"${mark}${digits}"`
    copied = end
  }
  return marked + text.slice(copied)
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

/** Whether the digits are a whole number of JSON, neither a part of a fraction or exponent nor one with leading zeros. */
function isInteger(text: string, start: number, end: number): boolean {
  const first = text.charAt(start) === '-' ? start + 1 : start
  return text.charAt(first) !== '0' && !/[\d.eE+]/.test(text.charAt(start - 1)) && !/[.eE]/.test(text.charAt(end))
}

/** An integer beyond the largest number is not: it is read as infinity, which the gateway refuses. */
function isTooLarge(digits: string): boolean {
  const number = Number(digits)
  return !Number.isSafeInteger(number) && Number.isFinite(number)
}

/** The strings of a JSON text, from its start to its end. */
class Strings {
  readonly #text: string
  #start: number
  #end: number

  constructor(text: string) {
    this.#text = text
    this.#start = text.indexOf('"')
    this.#end = endOfJsonString(text, this.#start)
  }

  /** Whether the character is part of a string. To be asked for in the order of the text. */
  hold(at: number): boolean {
    while (this.#start !== -1 && this.#end < at) {
      this.#start = this.#text.indexOf('"', this.#end + 1)
      this.#end = endOfJsonString(this.#text, this.#start)
    }
    return this.#start !== -1 && this.#start < at
  }
}
