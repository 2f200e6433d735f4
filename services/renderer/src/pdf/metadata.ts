import { readObjects, reference } from './pdf-objects.ts'

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
  trailer: string
  tableAt: number
}

function appendUpdate(pdf: Uint8Array, { changed, trailer, tableAt }: Update): Uint8Array {
  let text = '\n'
  const sections = changed.map((object) => {
    const at = pdf.byteLength + text.length
    text += `${object.text}endobj\n`
    return `${object.number} 1\n${String(at).padStart(10, '0')} 00000 n \n`
  })
  const newTableAt = pdf.byteLength + text.length
  text += `xref\n${sections.join('')}${withPrevious(trailer, tableAt)}startxref\n${newTableAt}\n%%EOF\n`
  return Buffer.concat([pdf, Buffer.from(text, 'latin1')])
}

function withPrevious(trailer: string, tableAt: number): string {
  const first = trailer.replace(/\n?\/Prev \d+/, '')
  return first.replace(/^trailer\s*<</, `trailer\n<</Prev ${tableAt}\n`)
}

/** Undefined if the entry exists or the object is not a dictionary. */
function withEntry(object: string, key: string, value: string): string | undefined {
  const start = /^\d+ 0 obj\s*<</.exec(object)?.[0]
  if (start === undefined || object.includes(`/${key} `) || object.includes(`/${key}(`)) return undefined
  return `${start}/${key} ${textString(value)}\n${object.slice(start.length)}`
}

/** ISO 32000-1, 7.9.2.2: ASCII unchanged, any other text as UTF-16 with a byte order mark. */
function textString(text: string): string {
  if (/^[ -~]*$/.test(text)) return `(${text.replace(/[\\()]/g, '\\$&')})`
  return `<FEFF${Buffer.from(text.toWellFormed(), 'utf16le').swap16().toString('hex').toUpperCase()}>`
}
