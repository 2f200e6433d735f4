/** Whether a text is a language tag (BCP 47) such as `de-DE`. */
export function isLocale(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(text).length === 1
  } catch {
    return false
  }
}

/** Whether a text is a time zone of the IANA database, such as `Europe/Berlin`. */
export function isTimezone(text: string): boolean {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: text })
    return true
  } catch {
    return false
  }
}

/** The path of a setting that the data of a document have: `{{customer.language}}`. Undefined for a setting itself. */
export function pathOf(setting: string): string | undefined {
  return /^\s*\{\{\s*([^\s{}]{1,90})\s*\}\}\s*$/.exec(setting)?.[1]
}
