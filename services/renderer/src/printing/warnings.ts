import type { Warning, WarningCode } from '@platen/shared/contracts/warning.ts'

const maxChars = 500

/** Fifty in all. Each kind has its own share, so that none hides another from whoever fails on it. */
const shares: Record<WarningCode, number> = { RESOURCE_FAILED: 29, CONSOLE_ERROR: 20, MISSING_GLYPHS: 1 }

/** What went wrong with one document. Equal ones are told once. */
export interface Warnings {
  add(code: WarningCode, message: string, element?: string): void
  list(): Warning[]
}

export function collectWarnings(): Warnings {
  const messages = new Map(
    Object.keys(shares).map((code) => [code as WarningCode, new Map<string, string | undefined>()]),
  )
  return {
    add(code, message, element) {
      const told = messages.get(code)
      if (told && told.size < shares[code]) told.set(shortened(printable(message), maxChars), element)
    },
    list: () =>
      [...messages].flatMap(([code, told]) =>
        [...told].map(([message, element]) => ({ code, message, ...(element !== undefined && { element }) })),
      ),
  }
}

/** Of well-formed characters: a cut leaves no half of one. */
export function shortened(text: string, chars: number): string {
  return (text.length > chars ? `${text.slice(0, chars - 1)}…` : text).toWellFormed()
}

/** What would move the cursor of whoever reads it stands as a space. */
function printable(text: string): string {
  return text
    .slice(0, maxChars * 2)
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim()
}
