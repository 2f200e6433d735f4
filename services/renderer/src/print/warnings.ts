import { fail } from '@platen/domain/http/errors.ts'
import type { Warning, WarningCode } from '@platen/foundation/errors/warning.ts'
import { defined } from '@platen/foundation/json/defined.ts'

const maxChars = 500

/** The codes of warnings of the print. Filling the template and the steps after the print have their own. */
export type PrintWarningCode = Exclude<
  WarningCode,
  'MISSING_VALUE' | 'OBJECT_PRINTED' | 'MISSING_TRANSLATION' | 'PDF_STEP'
>

/**
 * The most warnings of each code, 60 in all. Separate maxima let `fail_on` see a code however many others there are.
 */
const maxOf: Record<PrintWarningCode, number> = {
  RESOURCE_FAILED: 25,
  CONSOLE_ERROR: 20,
  MISSING_GLYPHS: 1,
  MARGIN_OVERFLOW: 4,
  PAGE_NUMBERS: 10,
}

/** The warnings of one document, each message once. */
export interface Warnings {
  add(code: PrintWarningCode, message: string, element?: string): void
  list(): Warning[]
}

export function collectWarnings(): Warnings {
  const codes = Object.keys(maxOf) as PrintWarningCode[]
  const elements = new Map(codes.map((code) => [code, new Map<string, string | undefined>()]))
  return {
    add(code, message, element) {
      const byMessage = elements.get(code)
      if (byMessage && byMessage.size < maxOf[code]) byMessage.set(shortened(printable(message), maxChars), element)
    },
    list: () =>
      [...elements].flatMap(([code, byMessage]) =>
        [...byMessage].map(([message, element]) => ({ code, message, ...defined({ element }) })),
      ),
  }
}

/** Cuts a text to a length in UTF-16 units. Half a surrogate pair becomes U+FFFD. */
export function shortened(text: string, chars: number): string {
  return (text.length > chars ? `${text.slice(0, chars - 1)}…` : text).toWellFormed()
}

/** Replaces control characters and line breaks with a space, so that a terminal shows the text on one line. */
function printable(text: string): string {
  return text
    .slice(0, maxChars * 2)
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim()
}

/** Throws RENDER_FAILED if there is a warning with one of the codes. */
export function failOn(codes: readonly WarningCode[] = [], warnings: Warning[]): void {
  const failing = warnings.filter(({ code }) => codes.includes(code))
  const [first] = failing
  if (!first) return
  const more = failing.length === 1 ? '' : ` (and ${failing.length - 1} more)`
  fail('RENDER_FAILED', `options.fail_on: ${first.code}: ${first.message}${more}`, { warnings })
}
