// Values of form fields, with the messages that clients of Gotenberg know: those of the Go packages strconv, time and
// encoding/json. https://pkg.go.dev/strconv#ParseBool, https://pkg.go.dev/time#ParseDuration.

const quoted = (text: string) => JSON.stringify(text)

export function parseBool(text: string): boolean {
  if (['1', 't', 'T', 'TRUE', 'true', 'True'].includes(text)) return true
  if (['0', 'f', 'F', 'FALSE', 'false', 'False'].includes(text)) return false
  throw new Error(`strconv.ParseBool: parsing ${quoted(text)}: invalid syntax`)
}

export function parseInteger(text: string): number {
  const value = Number(text)
  if (!/^[+-]?\d+$/.test(text)) throw new Error(`strconv.Atoi: parsing ${quoted(text)}: invalid syntax`)
  if (!Number.isSafeInteger(value)) throw new Error(`strconv.Atoi: parsing ${quoted(text)}: value out of range`)
  return value
}

export function parseFloat64(text: string): number {
  const value = Number(text)
  const isNumber = /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/.test(text) && Number.isFinite(value)
  if (!isNumber) throw new Error(`strconv.ParseFloat: parsing ${quoted(text)}: invalid syntax`)
  return value
}

const inchesOf: Record<string, number> = { pt: 1 / 72, px: 1 / 96, in: 1, mm: 1 / 25.4, cm: 1 / 2.54, pc: 1 / 6 }

/** A length with a unit, or in inches. */
export function parseInches(text: string): number {
  const unit = Object.keys(inchesOf).find((unit) => text.endsWith(unit))
  if (unit === undefined) return parseFloat64(text)
  return parseFloat64(text.slice(0, -unit.length)) * (inchesOf[unit] ?? 1)
}

const msOf: Record<string, number> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  μs: 1e-3,
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
}

/** Milliseconds of a duration such as `1h2m3.5s`. */
export function parseDurationMs(text: string): number {
  const [, sign = '', rest = ''] = /^([+-]?)(.*)$/s.exec(text) ?? []
  if (rest === '0') return 0
  const part = /(\d+(?:\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h)/y
  let ms = 0
  let at = 0
  for (let found = part.exec(rest); found; found = part.exec(rest)) {
    ms += Number(found[1]) * (msOf[found[2] ?? ''] ?? 0)
    at = part.lastIndex
  }
  if (at === 0 || at !== rest.length) throw new Error(`time: invalid duration ${quoted(text)}`)
  return sign === '-' ? -ms : ms
}

const literals = ['false', 'true', 'null']

/** JSON, with the message of Go's decoder for the usual mistake: a text without quotes. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error(describeJsonError(text.trim()))
  }
}

function describeJsonError(text: string): string {
  if (text === '') return 'unexpected end of JSON input'
  const first = text[0] ?? ''
  const literal = literals.find((literal) => literal.startsWith(first))
  if (literal !== undefined) {
    for (let at = 1; at < literal.length; at++) {
      const character = text[at]
      if (character === undefined) return 'unexpected end of JSON input'
      if (character !== literal[at]) {
        return `invalid character '${character}' in literal ${literal} (expecting '${literal[at]}')`
      }
    }
  }
  if (!/["[{\d-]/.test(first)) return `invalid character '${first}' looking for beginning of value`
  return 'the text is not valid JSON'
}
