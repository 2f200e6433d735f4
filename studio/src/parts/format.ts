/** Numbers, sizes, times and durations in the language and the time zone of the browser. */

const number = new Intl.NumberFormat()
export const formatNumber = (value: number): string => number.format(value)

const percent = new Intl.NumberFormat(undefined, {
  style: 'percent',
  maximumFractionDigits: 0,
  maximumSignificantDigits: 2,
  roundingPriority: 'morePrecision',
})
/** A share of 1: 125%; 0.07%. */
export const formatPercent = (share: number): string => percent.format(share)

const unit = (name: string, digits: number) =>
  new Intl.NumberFormat(undefined, {
    style: 'unit',
    unit: name,
    maximumFractionDigits: digits,
    // The short form of a byte has no plural.
    unitDisplay: name === 'byte' ? 'long' : 'short',
  })
const [milliseconds, seconds, minutes, hours, days] = [
  unit('millisecond', 0),
  unit('second', 1),
  unit('minute', 0),
  unit('hour', 0),
  unit('day', 0),
]

/** 340 ms; 1.2 s; 2 min 3 s; 5 hr 12 min; 3 days 4 hr. */
export function formatDuration(ms: number): string {
  if (ms < 1_000) return milliseconds.format(Math.round(ms))
  if (ms < 60_000) return seconds.format(ms / 1_000)
  const s = Math.round(ms / 1_000)
  const parts = [
    [Math.floor(s / 86_400), days],
    [Math.floor(s / 3_600) % 24, hours],
    [Math.floor(s / 60) % 60, minutes],
    [s % 60, seconds],
  ] as const
  const first = parts.findIndex(([value]) => value > 0)
  return parts
    .slice(first, first + 2)
    .filter(([value]) => value > 0)
    .map(([value, format]) => format.format(value))
    .join(' ')
}

const sizes = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

/** 512 bytes; 12 kB; 1.4 MB. */
export function formatBytes(bytes: number): string {
  const power = Math.min(sizes.length - 1, Math.floor(Math.log10(Math.max(bytes, 1)) / 3))
  const value = bytes / 1_000 ** power
  return unit(sizes[power] ?? 'byte', value < 10 && power > 0 ? 1 : 0).format(value)
}

const thisYear = new Intl.DateTimeFormat(undefined, {
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
})
const otherYear = new Intl.DateTimeFormat(undefined, { year: 'numeric', month: 'short', day: 'numeric' })
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' })
const withMs = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
})

/** The day and the minute; of another year, the day. */
export function formatTime(iso: string): string {
  const date = new Date(iso)
  return (date.getFullYear() === new Date().getFullYear() ? thisYear : otherYear).format(date)
}

const isoTimes = /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z/g
/** A sentence of the API, with its times as the reader writes them. */
export const withLocalTimes = (text: string): string => text.replace(isoTimes, formatTime)

/** With the second and the time zone. */
export const formatExactTime = (iso: string): string => exact.format(new Date(iso))

/** The time of the day with milliseconds, for what happens within a second. */
export const formatClock = (iso: string): string => withMs.format(new Date(iso))

const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto', style: 'short' })
const spans = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const

/** 3 min. ago; in 2 hr. */
export function formatRelative(iso: string, now = Date.now()): string {
  const s = (Date.parse(iso) - now) / 1_000
  const [name, length] = spans.find(([, length]) => Math.abs(s) >= length) ?? ['second', 1]
  return relative.format(Math.trunc(s / length), name)
}

/** The plural of an English noun: `1 template`, `12 templates`. */
export function count(value: number, one: string, many = `${one}s`): string {
  return `${formatNumber(value)} ${value === 1 ? one : many}`
}
