import { DomainError } from '@platen/shared/runtime/errors.ts'

/**
 * The number of pages, read the way a viewer does (ISO 32000-1, 7.5): trailer → /Root → /Pages → /Count. Chromium writes
 * a plain cross-reference table and no object streams; searching the file for /Count would believe text and outlines.
 * Throws an Error for a PDF that is not built that way.
 */
export function countPages(pdf: Uint8Array): number {
  const bytes = Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength)
  const table = lastNumber(bytes, 'startxref') ?? broken('no startxref')
  if (!bytes.subarray(table, table + 4).equals(Buffer.from('xref'))) broken('no cross-reference table')
  const trailerAt = bytes.lastIndexOf('trailer')
  if (trailerAt < table) broken('no trailer')

  const objectAt = (number: number) => {
    // Sections of `first count`, each followed by 20-byte entries.
    let at = table + 4
    for (;;) {
      const header = /^\s*(\d+) (\d+)\s*?\r?\n/.exec(bytes.toString('latin1', at, at + 40))
      if (!header) broken(`object ${number} is not in the table`)
      const [line, first, count] = [header[0], Number(header[1]), Number(header[2])]
      if (number >= first && number < first + count) {
        const entry = at + line.length + (number - first) * 20
        return Number(bytes.toString('latin1', entry, entry + 10))
      }
      at += line.length + count * 20
    }
  }
  const dictionaryOf = (number: number) => {
    const at = objectAt(number)
    const end = bytes.indexOf('endobj', at)
    const text = bytes.toString('latin1', at, end)
    return text.startsWith(`${number} 0 obj`) ? text : broken(`object ${number} is not where the table says`)
  }

  const trailer = bytes.toString('latin1', trailerAt, bytes.length)
  const pages = dictionaryOf(reference(dictionaryOf(reference(trailer, 'Root')), 'Pages'))
  const count = /\/Count (\d+)/.exec(pages)?.[1] ?? broken('the page tree has no count')
  return Number(count)
}

function reference(dictionary: string, key: string): number {
  return Number(new RegExp(`/${key} (\\d+) 0 R`).exec(dictionary)?.[1] ?? broken(`no /${key}`))
}

function lastNumber(bytes: Buffer, keyword: string): number | undefined {
  const at = bytes.lastIndexOf(keyword)
  const digits = at < 0 ? undefined : /\d+/.exec(bytes.toString('latin1', at, at + 40))?.[0]
  return digits === undefined ? undefined : Number(digits)
}

function broken(what: string): never {
  throw new Error(`cannot read the printed PDF: ${what}`)
}

export interface PdfLimits {
  pages: number
  pdfBytes: number
}

/** Counts the pages and holds the document to its limits. */
export function measurePdf(pdf: Uint8Array, limits: PdfLimits): number {
  checkPdfBytes(pdf.byteLength, limits)
  const pages = countPages(pdf)
  if (pages > limits.pages) {
    throw new DomainError(
      'RENDER_LIMIT_EXCEEDED',
      `The document has ${pages} pages, at most ${limits.pages} are allowed`,
    )
  }
  return pages
}

export function checkPdfBytes(bytes: number, { pdfBytes }: PdfLimits): void {
  if (bytes > pdfBytes) {
    throw new DomainError('RENDER_LIMIT_EXCEEDED', `The PDF is larger than the ${pdfBytes} bytes that are allowed`)
  }
}
