import { parseArgs } from 'node:util'
import { longestName } from '@platen/domain/ids/owner-id.ts'

/** An option of a command. Without `value` it is a flag. */
export interface Option {
  /** The name of its value in the usage, such as `TIME`. */
  value?: string
  /** The description in the help. */
  about: string
  /** Makes the value from its text. Throws UsageError. Default: the text. */
  read?: (text: string, option: string) => unknown
  default?: string
  required?: true
  /** May be repeated. */
  multiple?: true
}

export type Options = Readonly<Record<string, Option>>

type Read<One extends Option> = One extends { read: (text: string, option: string) => infer Value } ? Value : string
type ValueOf<One extends Option> = One extends { value: string }
  ? One extends { multiple: true }
    ? Read<One>[] | undefined
    : One extends { default: string } | { required: true }
      ? Read<One>
      : Read<One> | undefined
  : boolean

/** The values of options, by their names. */
export type Values<All extends Options> = { -readonly [Name in keyof All]: ValueOf<All[Name]> }

/** The command line is invalid. The process exits with code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** Throws UsageError. */
export function parseOptions(args: readonly string[], options: Options) {
  const types = Object.entries(options).map(([name, { value, multiple = false }]) => [
    name,
    { type: value === undefined ? ('boolean' as const) : ('string' as const), multiple },
  ])
  const { values, positionals } = parse(args, Object.fromEntries(types))
  const read = Object.entries(options).map(([name, option]) => [name, readValue(name, option, values[name])])
  return { values: Object.fromEntries(read) as Record<string, unknown>, positionals }
}

function parse(args: readonly string[], options: Record<string, { type: 'boolean' | 'string'; multiple: boolean }>) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true })
  } catch (err) {
    throw new UsageError(err instanceof Error ? err.message : String(err))
  }
}

type Given = string | boolean | (string | boolean)[] | undefined

function readValue(name: string, { value, read = (text) => text, required, ...option }: Option, given: Given): unknown {
  if (value === undefined) return given ?? false
  const text = given ?? option.default
  if (required && String(text ?? '').trim() === '') throw new UsageError(`--${name} is required`)
  // An empty text often comes from a shell variable that is not set. As a filter it would select everything.
  if ([text].flat().includes('')) throw new UsageError(`--${name} needs a value; it is empty`)
  if (Array.isArray(text)) return text.map((one) => read(String(one), `--${name}`))
  return text === undefined ? undefined : read(String(text), `--${name}`)
}

/** What TIME and DURATION stand for in every command. */
export const valueForms: Readonly<Record<string, string>> = {
  TIME: 'a date (2026-01-31), a time with its zone (2026-01-31T08:00:00Z), or how long ago (90s, 15m, 12h, 7d)',
  DURATION: 'a whole number and its unit: 90s, 15m, 12h, 7d',
}

/** A point in time, in milliseconds since the epoch. */
export const time = (about: string) => ({ value: 'TIME', about, read: readTime }) as const

/** A length of time, in milliseconds, of `mostDays` at most. */
export const duration = (about: string, mostDays = Number.POSITIVE_INFINITY) =>
  ({
    value: 'DURATION',
    about,
    read(text: string, option: string) {
      const ms = readDuration(text, option)
      if (ms > mostDays * unitsMs.d) throw new UsageError(`${option} must be at most ${mostDays}d`)
      return ms
    },
  }) as const

/** How long a command may wait: a timer of Node.js is of 24.8 days at most. */
export const longestWaitDays = 24

/** The name of an owner or an API key, as the API has it. */
export const nameOption = (about: string) => ({ value: 'NAME', about, read: readName }) as const

/** A whole number from 1. */
export const count = (about: string, value = 'N') => ({ value, about, read: readCount }) as const

/** An option of every command that changes something. */
export const dryRun = { 'dry-run': { about: 'prints what would be done, and does nothing' } } as const

/** An option of lists, and of verbs that act on their entries. */
export const last = { last: count('only the newest N of them') } as const

/** Options of lists whose entries have a time: `range('created')`. */
export const range = (what: string) =>
  ({ since: time(`${what} at this time or later`), until: time(`${what} before this time`), ...last }) as const

export type Range = Partial<Values<ReturnType<typeof range>>>

/** The items in the range, from a list that is sorted oldest first. `timeOf` returns a time that Date.parse reads. */
export const inRange = <Item>(items: Item[], given: Range, timeOf: (item: Item) => string): Item[] =>
  newest(
    items.filter((item) => isWithin(given, timeOf(item))),
    given.last,
  )

export function isWithin({ since, until }: Omit<Range, 'last'>, time: string): boolean {
  const ms = Date.parse(time)
  return ms >= (since ?? Number.NEGATIVE_INFINITY) && ms < (until ?? Number.POSITIVE_INFINITY)
}

/** Whether any of the options that select something is given. */
export const isAnyGiven = (filter: object): boolean => Object.values(filter).some((value) => value !== undefined)

/** The newest of a list whose oldest is first. */
export const newest = <Item>(items: Item[], count: number | undefined): Item[] =>
  count === undefined ? items : items.slice(-count)

const unitsMs = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const
const durationForm = /^(\d{1,6})([smhd])$/
const timeForm = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/

export function readTime(text: string, option: string): number {
  const ago = parseDuration(text)
  if (ago !== undefined) return Date.now() - ago
  const ms = timeForm.test(text) ? Date.parse(text) : Number.NaN
  if (!Number.isNaN(ms)) return ms
  throw new UsageError(`${option} must be ${valueForms.TIME}`)
}

export function readDuration(text: string, option: string): number {
  const ms = parseDuration(text)
  if (ms === undefined) throw new UsageError(`${option} must be ${valueForms.DURATION}`)
  return ms
}

function parseDuration(text: string): number | undefined {
  const [, number, unit] = durationForm.exec(text) ?? []
  return number === undefined ? undefined : Number(number) * unitsMs[unit as keyof typeof unitsMs]
}

function readName(text: string, option: string): string {
  if (text.length > longestName) throw new UsageError(`${option} must have at most ${longestName} characters`)
  // Control characters in a printed name would change how the terminal shows other lines.
  if (/\p{Cc}/u.test(text)) throw new UsageError(`${option} must have no control characters`)
  return text
}

export function readCount(text: string, option: string): number {
  if (!/^[1-9]\d{0,11}$/.test(text)) throw new UsageError(`${option} must be a whole number from 1`)
  return Number(text)
}
