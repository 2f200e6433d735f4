import { type HelperCall, shown, wrong } from './helper.ts'

/** Formats the date to parts. `language` overrides the locale's language. */
type PartsOf = (options: Intl.DateTimeFormatOptions, language?: string) => Intl.DateTimeFormatPart[]

/** A subset of the pattern letters of Unicode TR 35. */
const fields: Record<string, (partsOf: PartsOf) => string> = {
  yyyy: (parts) => digits(parts, 'year').padStart(4, '0'),
  yy: (parts) => digits(parts, 'year').slice(-2),
  // Format the month together with the day: many languages inflect it in a date.
  MMMM: (parts) => part(parts({ day: 'numeric', month: 'long' }), 'month'),
  MMM: (parts) => part(parts({ day: 'numeric', month: 'short' }), 'month'),
  MM: (parts) => digits(parts, 'month').padStart(2, '0'),
  M: (parts) => digits(parts, 'month'),
  dd: (parts) => digits(parts, 'day').padStart(2, '0'),
  d: (parts) => digits(parts, 'day'),
  EEEE: (parts) => part(parts({ weekday: 'long' }), 'weekday'),
  EEE: (parts) => part(parts({ weekday: 'short' }), 'weekday'),
  HH: (parts) => digits(parts, 'hour').padStart(2, '0'),
  H: (parts) => digits(parts, 'hour'),
  hh: (parts) => hour12(parts).padStart(2, '0'),
  h: hour12,
  mm: (parts) => digits(parts, 'minute').padStart(2, '0'),
  ss: (parts) => digits(parts, 'second').padStart(2, '0'),
  a: (parts) =>
    part(parts({ hour: 'numeric', hour12: true }), 'dayPeriod') || (Number(digits(parts, 'hour')) < 12 ? 'AM' : 'PM'),
}

const numeric: Intl.DateTimeFormatOptions = {
  calendar: 'gregory',
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
  hourCycle: 'h23',
}

const pieces = /'((?:[^']|'')*)'|([A-Za-z])\2*|[^A-Za-z']+|'/g
const maxLength = 200

/** `dd.mm.yyyy` would print the minutes where the month is meant. */
export function patternProblem(pattern: string): string | undefined {
  const found = new Set(pattern.replace(/'(?:[^']|'')*'/g, '').match(/([A-Za-z])\1*/g) ?? [])
  const has = (...letters: string[]) => letters.some((letter) => [...found].some((piece) => piece.startsWith(letter)))
  if (!found.has('mm') || has('M', 'H', 'h') || !has('d', 'y')) return undefined
  return `mm is the minutes, and MM the month: write "${pattern.replaceAll('mm', 'MM')}"`
}

export function formatPattern(call: HelperCall, pattern: string, partsOf: PartsOf): string {
  if (pattern.length > maxLength) return wrong(call, `the pattern is longer than ${maxLength} characters`)
  const problem = patternProblem(pattern)
  if (problem !== undefined) return wrong(call, problem)
  return pattern.replace(pieces, (piece: string, quoted: string | undefined, letter: string | undefined) => {
    if (quoted !== undefined) return quoted === '' ? "'" : quoted.replaceAll("''", "'")
    if (letter === undefined) return piece
    const field = Object.hasOwn(fields, piece) ? fields[piece] : undefined
    return field ? field(partsOf) : wrong(call, `${shown(piece)} is neither a style nor a pattern letter`)
  })
}

const part = (parts: Intl.DateTimeFormatPart[], type: Intl.DateTimeFormatPartTypes): string =>
  parts.find((candidate) => candidate.type === type)?.value ?? ''

const digits = (partsOf: PartsOf, type: Intl.DateTimeFormatPartTypes): string =>
  String(Number(part(partsOf(numeric, 'en-US'), type)))

function hour12(partsOf: PartsOf): string {
  return String(Number(digits(partsOf, 'hour')) % 12 || 12)
}
