import { type HelperCall, hashText, shown, wrong } from './helper.ts'

export const defaultLocale = 'en-US'
const maxKept = 200

/** The `locale=` of a call. */
export function localeOf(call: HelperCall): string {
  const locale = hashText(call, 'locale')
  if (locale === undefined) return defaultLocale
  try {
    return Intl.getCanonicalLocales(locale)[0] ?? defaultLocale
  } catch {
    return wrong(call, `locale ${shown(locale)} is not a language tag such as "de-DE"`)
  }
}

/** Making an Intl formatter costs a hundred times what using one does, so the last ones made are kept. */
export function kept<Formatter>(make: (locale: string, options: object) => Formatter) {
  const formatters = new Map<string, Formatter>()
  return (locale: string, options: object): Formatter => {
    const key = `${locale} ${JSON.stringify(options)}`
    const formatter = formatters.get(key) ?? make(locale, options)
    formatters.delete(key)
    formatters.set(key, formatter)
    for (const oldest of formatters.keys()) {
      if (formatters.size <= maxKept) break
      formatters.delete(oldest)
    }
    return formatter
  }
}
