import { formatPattern, patternProblem } from './date-pattern.ts'
import { type HelperCall, type HelperFamily, hashText, integerOf, isAbsent, shown, textOf, wrong } from './helper.ts'
import { cached, localeOf } from './intl.ts'

const styles = ['short', 'medium', 'long', 'full'] as const
type Style = (typeof styles)[number]

const dayMs = 24 * 60 * 60 * 1000
const dateFormat = cached((locale, options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, options))

export const dateHelpers: HelperFamily = {
  formatDate: {
    signature: 'formatDate value [style or pattern] style= locale= timezone=',
    does:
      'Formats a date in ISO 8601 or in milliseconds since 1970. Styles are short, medium (the default), long, full. ' +
      "Patterns consist of yyyy yy MMMM MMM MM M dd d EEEE EEE HH H hh h mm ss a and 'text'. Times are in the time " +
      'zone of the document (options.timezone) unless timezone is set, for example to "Europe/Paris". A date without a time is the same day everywhere.',
    examples: [
      { template: '{{formatDate "2026-01-31"}}', gives: 'Jan 31, 2026' },
      { template: '{{formatDate date "long" locale="de-DE"}}', data: { date: '2026-01-31' }, gives: '31. Januar 2026' },
      { template: '{{formatDate 1769860800000 "yyyy-MM-dd HH:mm" timezone="Asia/Tokyo"}}', gives: '2026-01-31 21:00' },
    ],
    args: [1, 2],
    hash: ['style', 'locale', 'timezone'],
    check: ([, form]) => (form === undefined || isStyle(form) ? undefined : patternProblem(form)),
    run: formatDate,
  },
  now: {
    signature: 'now',
    does: 'The current time in ISO 8601.',
    examples: [{ template: '{{formatDate (now) "yyyy"}}', gives: '2026' }],
    args: [0, 0],
    run: ({ now }) => now.toISOString(),
  },
  diffDays: {
    signature: 'diffDays from to timezone=',
    does: 'The days from one calendar day to another, negative if the second is earlier. Times are days in the time zone of the document unless timezone is set.',
    examples: [
      { template: '{{diffDays "2026-01-31" "2026-03-01"}}', gives: '29' },
      { template: '{{diffDays (now) due}}', data: { due: '2026-02-14' }, gives: '14' },
    ],
    args: [2, 2],
    hash: ['timezone'],
    run: (call) => {
      const [from, to] = call.args
      return isAbsent(from) || isAbsent(to) ? undefined : dayOf(call, to) - dayOf(call, from)
    },
  },
  addDays: {
    signature: 'addDays value days',
    does: 'Adds days to a date, or subtracts them if negative. The result is in ISO 8601.',
    examples: [
      { template: '{{addDays "2026-01-31" 14}}', gives: '2026-02-14' },
      { template: '{{formatDate (addDays (now) 30) "yyyy-MM-dd"}}', gives: '2026-03-02' },
    ],
    args: [2, 2],
    run: (call) => {
      const [value, days] = call.args
      if (isAbsent(value)) return undefined
      const { time, dayOnly } = momentOf(call, value)
      const later = new Date(time.getTime() + integerOf(call, days, 'days', -1_000_000, 1_000_000) * dayMs)
      if (Number.isNaN(later.getTime())) return wrong(call, 'the result is out of range')
      return dayOnly ? later.toISOString().slice(0, later.toISOString().indexOf('T')) : later.toISOString()
    },
  },
}

/** The number of the calendar day in the time zone. A date without a time is the same day everywhere. */
function dayOf(call: HelperCall, value: unknown): number {
  const { time, dayOnly } = momentOf(call, value)
  if (dayOnly) return time.getTime() / dayMs
  const parts = dateFormat('en-US', {
    timeZone: timezoneOf(call),
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
  }).formatToParts(time)
  const [year = 0, month = 0, day = 0] = (['year', 'month', 'day'] as const).map((type) =>
    Number(parts.find((part) => part.type === type)?.value),
  )
  return Date.UTC(year, month - 1, day) / dayMs
}

function formatDate(call: HelperCall): string | undefined {
  const [value, given] = call.args
  if (isAbsent(value)) return undefined
  const { time, dayOnly } = momentOf(call, value)
  const timeZone = timezoneOf(call)
  const locale = localeOf(call)
  const form = isAbsent(given) ? (hashText(call, 'style') ?? 'medium') : textOf(call, given)
  const zone = dayOnly ? 'UTC' : timeZone
  if (isStyle(form)) return dateFormat(locale, { dateStyle: form, timeZone: zone }).format(time)
  const partsOf = (options: Intl.DateTimeFormatOptions, language = locale) =>
    dateFormat(language, { ...options, timeZone: zone }).formatToParts(time)
  return formatPattern(call, form, partsOf)
}

const isStyle = (form: string): form is Style => styles.some((style) => style === form)

function timezoneOf(call: HelperCall): string {
  const timeZone = hashText(call, 'timezone') ?? call.timezone
  try {
    dateFormat('en-US', { timeZone })
    return timeZone
  } catch {
    return wrong(call, `timezone ${shown(timeZone)} is not a name such as "Europe/Paris"`)
  }
}

const isoPattern = /^(\d{4}-\d\d-(\d\d))(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(Z|[+-]\d\d:?\d\d)?)?$/

/** A time without an offset is UTC: documents must not depend on the server's time zone. */
function momentOf(call: HelperCall, value: unknown): { time: Date; dayOnly: boolean } {
  if (typeof value === 'number' && Math.abs(value) <= 8.64e15) return { time: new Date(value), dayOnly: false }
  const [, date, day, clock, offset = 'Z'] = (typeof value === 'string' && isoPattern.exec(value.trim())) || []
  const midnight = new Date(`${date}T00:00:00Z`)
  const time = new Date(`${date}T${clock ?? '00:00'}${offset.replace(/(\d\d)(\d\d)$/, '$1:$2')}`)
  // JavaScript parses 31 February as 3 March.
  if (Number.isNaN(time.getTime()) || midnight.getUTCDate() !== Number(day)) {
    return wrong(call, `${shown(value)} is not a date in ISO 8601 or in milliseconds`)
  }
  return { time, dayOnly: clock === undefined }
}
