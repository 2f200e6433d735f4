import { type PdfDictionary, reference } from './pdf-dictionary.ts'
import { readObjects } from './pdf-objects.ts'

export interface DocumentMetadata {
  /** A language tag (BCP 47). An invalid one is ignored. */
  lang: string
  author: string
}

/**
 * Adds language and author, which Chromium omits from a PDF without tags. They are appended as an incremental update
 * (ISO 32000-1, 7.5.6) of the catalogue and the information dictionary. Existing entries are kept, and a PDF with an
 * unexpected structure is returned unchanged.
 */
export function withMetadata(pdf: Uint8Array, { lang, author }: DocumentMetadata): Uint8Array {
  const language = /^[a-z]{2,8}(-[a-z0-9]{1,8}){0,8}$/i.test(lang.trim()) ? lang.trim() : ''
  const name = author.replace(/[\p{Cc}\s]+/gu, ' ').trim()
  if (language === '' && name === '') return pdf
  try {
    const { trailer, tableAt, object } = readObjects(pdf)
    if (tableAt === undefined) return pdf
    const changed = [
      { number: reference(trailer, 'Root'), key: 'Lang', value: language },
      { number: reference(trailer, 'Info'), key: 'Author', value: name },
    ].flatMap(({ number, key, value }) => {
      const text = value === '' ? undefined : withEntry(object(number), key, value)
      return text === undefined ? [] : [{ number, text }]
    })
    return changed.length === 0 ? pdf : appendUpdate(pdf, { changed, trailer, tableAt })
  } catch {
    return pdf
  }
}

interface Update {
  changed: { number: number; text: string }[]
  trailer: PdfDictionary
  tableAt: number
}

function appendUpdate(pdf: Uint8Array, { changed, trailer, tableAt }: Update): Uint8Array {
  let text = '\n'
  const sections = changed.map((object) => {
    const at = pdf.byteLength + text.length
    text += `${object.number} 0 obj\n${object.text}\nendobj\n`
    return `${object.number} 1\n${String(at).padStart(10, '0')} 00000 n \n`
  })
  const newTableAt = pdf.byteLength + text.length
  text += `xref\n${sections.join('')}trailer\n${withPrevious(trailer, tableAt)}\nstartxref\n${newTableAt}\n%%EOF\n`
  return Buffer.concat([pdf, Buffer.from(text, 'latin1')])
}

function withPrevious({ entries }: PdfDictionary, tableAt: number): string {
  const all = new Map([...entries, ['Prev', String(tableAt)]])
  return `<<${[...all].map(([key, value]) => `/${key} ${value}`).join('\n')}>>`
}

/** Undefined if the entry exists. */
function withEntry({ text, entries }: PdfDictionary, key: string, value: string): string | undefined {
  return entries.has(key) ? undefined : `<</${key} ${textString(value)}\n${text.slice(2)}`
}

/** ISO 32000-1, 7.9.2.2: ASCII unchanged, any other text as UTF-16 with a byte order mark. */
function textString(text: string): string {
  if (/^[ -~]*$/.test(text)) return `(${text.replace(/[\\()]/g, '\\$&')})`
  return `<FEFF${Buffer.from(text.toWellFormed(), 'utf16le').swap16().toString('hex').toUpperCase()}>`
}
