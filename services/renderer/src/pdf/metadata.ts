import { appendUpdate, withEntries } from './incremental-update.ts'
import { spacedTitles } from './outline-titles.ts'
import { reference } from './pdf-dictionary.ts'
import { type PdfObjects, readObjects } from './pdf-objects.ts'
import { writeTextString } from './text-string.ts'

/** Empty and absent fields add nothing. */
export interface DocumentMetadata {
  /** A language tag (BCP 47). An invalid one is ignored. */
  lang?: string
  author?: string
  subject?: string
  keywords?: string
  /** The lines of the headings that have several. The outline has them in one title. */
  brokenHeadings?: readonly (readonly string[])[] | undefined
  /** Replace what is there. */
  replaced?: { title?: string; author?: string; subject?: string; keywords?: string } | undefined
}

/**
 * Adds what Chromium omits: author, subject and keywords, the language of a PDF without tags, and spaces in the titles of the
 * outline. It is appended as an incremental update (ISO 32000-1, 7.5.6). A PDF with an unexpected structure is returned
 * unchanged.
 */
export function withMetadata(pdf: Uint8Array, metadata: DocumentMetadata): Uint8Array {
  const { lang = '', author = '', subject = '', keywords = '', brokenHeadings = [], replaced = {} } = metadata
  const language = /^[a-z]{2,8}(-[a-z0-9]{1,8}){0,8}$/i.test(lang.trim()) ? lang.trim() : ''
  const added = entriesOf({ author, subject, keywords })
  const forced = entriesOf(replaced)
  const isPlain = language === '' && Object.keys({ ...added, ...forced }).length === 0
  if (isPlain && brokenHeadings.length === 0) return pdf
  try {
    const objects = readObjects(pdf)
    const { trailer, tableAt } = objects
    const root = reference(trailer, 'Root')
    const changed = spacedTitles(objects, root, brokenHeadings)
    change(objects, changed, root, language === '' ? {} : { Lang: writeTextString(language) })
    change(objects, changed, reference(trailer, 'Info'), added, forced)
    return changed.size === 0 ? pdf : appendUpdate(pdf, { changed, trailer, tableAt })
  } catch {
    return pdf
  }
}

/** The fields as entries of the information dictionary (ISO 32000-1, 14.3.3). */
function entriesOf(fields: { [name: string]: string | undefined }): Record<string, string> {
  const entries: Record<string, string> = {}
  for (const [name, value = ''] of Object.entries(fields)) {
    const text = value.replace(/[\p{Cc}\s]+/gu, ' ').trim()
    if (text !== '') entries[`${name[0]?.toUpperCase()}${name.slice(1)}`] = writeTextString(text)
  }
  return entries
}

/** Existing entries are kept, except the `forced` ones. */
function change(
  { object }: PdfObjects,
  changed: Map<number, string>,
  number: number,
  added: Record<string, string>,
  forced: Record<string, string> = {},
): void {
  if (Object.keys({ ...added, ...forced }).length === 0) return
  const dictionary = object(number)
  const missing = Object.fromEntries(Object.entries(added).filter(([key]) => !dictionary.entries.has(key)))
  const entries = { ...missing, ...forced }
  if (Object.keys(entries).length > 0) changed.set(number, withEntries(dictionary, entries))
}
