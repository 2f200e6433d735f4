import { LruCache } from '@platen/foundation/runtime/lru-cache.ts'
import { type HelperCall, hashText, shown, wrong } from './helper.ts'

const maxFormatters = 200

/** The `locale=` of a call, else that of the document. */
export function localeOf(call: HelperCall): string {
  const locale = hashText(call, 'locale')
  if (locale === undefined) return call.locale
  try {
    return Intl.getCanonicalLocales(locale)[0] ?? call.locale
  } catch {
    return wrong(call, `locale ${shown(locale)} is not a language tag such as "de-DE"`)
  }
}

const collator = cached((locale, options: Intl.CollatorOptions) => new Intl.Collator(locale, options))

/** How texts are sorted in the `locale=` of a call. "10" comes after "9". */
export const collatorOf = (call: HelperCall) => collator(localeOf(call), { numeric: true }).compare

/** Caches Intl formatters: creating one takes a hundred times as long as using it. */
export function cached<Formatter>(create: (locale: string, options: object) => Formatter) {
  const formatters = new LruCache<Formatter>({ maxCount: maxFormatters, maxWeight: Number.POSITIVE_INFINITY })
  return (locale: string, options: object): Formatter => {
    const key = `${locale} ${JSON.stringify(options)}`
    const known = formatters.get(key)
    if (known) return known
    const formatter = create(locale, options)
    formatters.set(key, formatter)
    return formatter
  }
}
