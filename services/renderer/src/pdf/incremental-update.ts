import type { PdfDictionary } from './pdf-dictionary.ts'

/** Objects of a PDF that are replaced by an update (ISO 32000-1, 7.5.6). */
export interface Update {
  /** The new dictionaries, by the number of their objects. */
  changed: ReadonlyMap<number, string>
  trailer: PdfDictionary
  /** The offset of the last cross-reference table. */
  tableAt: number
}

/** Appends the update to the unchanged file. */
export function appendUpdate(pdf: Uint8Array, { changed, trailer, tableAt }: Update): Uint8Array {
  let text = '\n'
  const sections = [...changed].map(([number, dictionary]) => {
    const at = pdf.byteLength + text.length
    text += `${number} 0 obj\n${dictionary}\nendobj\n`
    return `${number} 1\n${String(at).padStart(10, '0')} 00000 n \n`
  })
  const newTableAt = pdf.byteLength + text.length
  text += `xref\n${sections.join('')}trailer\n${withEntries(trailer, { Prev: String(tableAt) })}`
  text += `\nstartxref\n${newTableAt}\n%%EOF\n`
  return Buffer.concat([pdf, Buffer.from(text, 'latin1')])
}

/** The source text of a dictionary with entries added or replaced. */
export function withEntries({ entries }: PdfDictionary, added: Record<string, string>): string {
  const all = new Map([...entries, ...Object.entries(added)])
  return `<<${[...all].map(([key, value]) => `/${key} ${value}`).join('\n')}>>`
}
