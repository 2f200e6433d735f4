import { createHash, randomBytes } from 'node:crypto'

/** Crockford's base32 in lower case: ids sort like the numbers they encode. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
const timeLength = 10
const randomLength = 16

export type IdPrefix = 'tpl' | 'prt' | 'pdf' | 'req' | 'msg' | 'red' | 'end' | 'key' | 'own' | 'dep' | 'bat'

function base32(value: bigint, length: number): string {
  let text = ''
  for (let rest = value; text.length < length; rest >>= 5n) text = alphabet[Number(rest & 31n)] + text
  return text
}

let lastTime = 0
let lastRandom = 0n

/** `<prefix>_` + 26 characters: 48 bits of milliseconds, then 80 random bits. Ids made by one process ascend. */
export function newId(prefix: IdPrefix, nowMs = Date.now()): string {
  const time = Math.max(nowMs, lastTime)
  // Within one millisecond the random part is incremented, so that ids stay in the order they were made.
  lastRandom = time === lastTime ? lastRandom + 1n : BigInt(`0x${randomBytes(10).toString('hex')}`) >> 1n
  lastTime = time
  return `${prefix}_${base32(BigInt(time), timeLength)}${base32(lastRandom, randomLength)}`
}

/** The smallest id of a time, in milliseconds since the epoch. */
export function firstIdAt(prefix: IdPrefix, timeMs: number): string {
  return `${prefix}_${base32(BigInt(Math.max(0, timeMs)), timeLength)}${base32(0n, randomLength)}`
}

/** An id without a time: `<prefix>_` + 26 characters of a hash over the parts. */
export function hashedId(prefix: IdPrefix, ...parts: string[]): string {
  return `${prefix}_${base32(digest(parts) >> 126n, timeLength + randomLength)}`
}

/** A time-ordered id whose random part is a hash over the parts: the same for the same time and parts. */
export function derivedId(prefix: IdPrefix, timeMs: number, ...parts: (string | number)[]): string {
  const hash = digest(parts.map(String)) >> BigInt(256 - 5 * randomLength)
  return `${prefix}_${base32(BigInt(timeMs), timeLength)}${base32(hash, randomLength)}`
}

const numberLength = 4

/**
 * A time-ordered id that contains a number below 2^20. Ids of one time and with the same parts sort by it. The rest is
 * a hash over all of them.
 */
export function numberedId(prefix: IdPrefix, timeMs: number, number: number, ...parts: string[]): string {
  const length = randomLength - numberLength
  const hash = digest([...parts, String(number)]) >> BigInt(256 - 5 * length)
  return `${prefix}_${base32(BigInt(timeMs), timeLength)}${base32(BigInt(number), numberLength)}${base32(hash, length)}`
}

/** The number in a numbered id. Of another id it is anything. */
export function numberInId(id: string): number {
  const start = id.indexOf('_') + 1 + timeLength
  return numberOf(id.slice(start, start + numberLength))
}

/** When a time-ordered id was made, in milliseconds since the epoch. */
export function idTimeMs(id: string): number {
  const text = id.slice(id.indexOf('_') + 1, id.indexOf('_') + 1 + timeLength)
  return numberOf(text)
}

const numberOf = (text: string) => [...text].reduce((value, character) => value * 32 + alphabet.indexOf(character), 0)

/** A UUID (RFC 9562, version 8) that hashes its parts. Event ids derive from their command's id. */
export function derivedUuid(...parts: (string | number)[]): string {
  const hex = digest(parts.map(String)).toString(16).padStart(64, '0')
  const variant = ((Number.parseInt(hex.slice(16, 17), 16) & 3) | 8).toString(16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

function digest(parts: string[]): bigint {
  // JSON keeps ['a', 'bc'] and ['ab', 'c'] apart.
  return BigInt(`0x${createHash('sha256').update(JSON.stringify(parts)).digest('hex')}`)
}
