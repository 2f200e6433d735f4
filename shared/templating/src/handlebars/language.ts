import type { Warning } from '@platen/foundation/errors/warning.ts'
import { defined } from '@platen/foundation/json/defined.ts'
import type { JsonObject } from '@platen/foundation/json/json.ts'
import { isLocale, isTimezone, pathOf } from '@platen/foundation/language.ts'
import { DomainError } from '../errors/errors.ts'
import { valueAt } from './helpers/helper.ts'

/** Locale and time zone in the options: a value, or `{{path}}`. */
export interface LanguageOptions {
  locale?: string | undefined
  timezone?: string | undefined
}

export interface Language {
  locale?: string
  timezone?: string
  /** MISSING_VALUE, for a value that the data should have. */
  warnings: Warning[]
}

const known = {
  locale: { is: isLocale, what: 'a language tag such as "de-DE"' },
  timezone: { is: isTimezone, what: 'a time zone such as "Europe/Berlin"' },
}

/** The language and time zone of a document. Throws TEMPLATE_RENDER_ERROR for a value of the data that is none. */
export function languageOf(options: LanguageOptions, data: JsonObject, { strict }: { strict: boolean }): Language {
  const language: Language = { warnings: [] }
  for (const name of ['locale', 'timezone'] as const) {
    const setting = options[name]
    const path = setting === undefined ? undefined : pathOf(setting)
    const value = path === undefined ? setting : valueAt(data, path)
    if (value === undefined || value === null || value === '') {
      if (path !== undefined) language.warnings.push(missing(path, name, strict))
      continue
    }
    const { is, what } = known[name]
    if (typeof value !== 'string' || !is(value)) {
      return refuse(`options.${name}: ${path ?? name} must be ${what}, not ${JSON.stringify(value).slice(0, 60)}`, path)
    }
    language[name] = name === 'locale' ? (Intl.getCanonicalLocales(value)[0] ?? value) : value
  }
  return language
}

function missing(path: string, name: string, strict: boolean): Warning {
  const message = `${path} is not in the data: options.${name}`
  return strict ? refuse(message, path) : { code: 'MISSING_VALUE', message, path }
}

function refuse(message: string, path: string | undefined): never {
  const details = { source: 'options', ...defined({ path }) }
  throw new DomainError('TEMPLATE_RENDER_ERROR', message, { details })
}
