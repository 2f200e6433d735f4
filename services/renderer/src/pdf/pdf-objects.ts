/** The objects of a PDF printed by Chromium. */
export interface PdfObjects {
  /** The dictionary of the last trailer. */
  trailer: string
  /** The offset of the last cross-reference table. */
  tableAt: number
  /** The text of one object, from `1 0 obj` to its `endobj`. */
  object(number: number): string
}

/** `withMetadata` appends one update. */
const maxUpdates = 8

/**
 * Reads a PDF as a viewer does (ISO 32000-1, 7.5): from its end, by its cross-reference tables, the last one first.
 * Chromium writes one table and no object streams. Throws an Error for a PDF with another structure.
 */
export function readObjects(pdf: Uint8Array): PdfObjects {
  const bytes = Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength)
  const tableAt = lastNumber(bytes, 'startxref') ?? broken('no startxref')
  const tables = [readTable(bytes, tableAt)]
  for (let [table] = tables; table && tables.length < maxUpdates; ) {
    const previous = /\/Prev (\d+)/.exec(table.trailer)?.[1]
    if (previous === undefined) break
    table = readTable(bytes, Number(previous))
    tables.push(table)
  }
  const offsetOf = (number: number) => {
    for (const table of tables) {
      const offset = table.offsetOf(number)
      if (offset !== undefined) return offset
    }
    return broken(`object ${number} is not in the table`)
  }
  return {
    trailer: tables[0]?.trailer ?? '',
    tableAt,
    object(number) {
      const at = offsetOf(number)
      const text = bytes.toString('latin1', at, bytes.indexOf('endobj', at))
      return text.startsWith(`${number} 0 obj`) ? text : broken(`object ${number} is not where the table says`)
    },
  }
}

export function reference(dictionary: string, key: string): number {
  return Number(new RegExp(`/${key} (\\d+) 0 R`).exec(dictionary)?.[1] ?? broken(`no /${key}`))
}

export function broken(what: string): never {
  throw new Error(`cannot read the printed PDF: ${what}`)
}

function readTable(bytes: Buffer, tableAt: number) {
  if (!bytes.subarray(tableAt, tableAt + 4).equals(Buffer.from('xref'))) broken('no cross-reference table')
  const trailerAt = bytes.indexOf('trailer', tableAt)
  if (trailerAt < 0) broken('no trailer')
  const trailer = bytes.toString('latin1', trailerAt, bytes.indexOf('startxref', trailerAt))
  return {
    trailer,
    offsetOf(number: number): number | undefined {
      // Each section starts with `first count` and has entries of 20 bytes.
      for (let at = tableAt + 4; ; ) {
        const header = /^\s*(\d+) (\d+)\s*?\r?\n/.exec(bytes.toString('latin1', at, at + 40))
        if (!header) return undefined
        const [line, first, count] = [header[0], Number(header[1]), Number(header[2])]
        if (number >= first && number < first + count) {
          const entry = at + line.length + (number - first) * 20
          return Number(bytes.toString('latin1', entry, entry + 10))
        }
        at += line.length + count * 20
      }
    },
  }
}

function lastNumber(bytes: Buffer, keyword: string): number | undefined {
  const at = bytes.lastIndexOf(keyword)
  const digits = at < 0 ? undefined : /\d+/.exec(bytes.toString('latin1', at, at + 40))?.[0]
  return digits === undefined ? undefined : Number(digits)
}
