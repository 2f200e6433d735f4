import { type PDFDocument, PDFRawStream } from '@cantoo/pdf-lib'
import { xmpOf } from './conform.ts'
import { set } from './pdf-objects.ts'

/** What a step says that may break the rules of a standard. */
export const claimLost = 'The PDF claims PDF/A or PDF/UA: the claim is removed, as this step may break their rules'

/** The properties that claim a standard (ISO 19005-3, 6.6.4; ISO 14289-1, 5), as elements and as attributes. */
const claimed = (prefix: string) =>
  new RegExp(`<(${prefix}):(\\w+)[^<>]*>[^<]*</\\1:\\2\\s*>|\\s${prefix}:\\w+\\s*=\\s*(?:"[^"]*"|'[^']*')`, 'g')
const pdfA = claimed('pdfaid')
const pdfUa = claimed('pdfuaid')

/** Whether the metadata of a document claim a standard of any part and level. */
export function hasClaims(document: PDFDocument): boolean {
  const xmp = xmpOf(document)
  return xmp !== xmp.replace(pdfA, '').replace(pdfUa, '')
}

/** Removes from the metadata that the document follows PDF/A and, unless it is kept, PDF/UA. Returns a warning if it said so. */
export function dropClaims(document: PDFDocument, { keepsPdfUa = false } = {}): string[] {
  const { context, catalog } = document
  const xmp = xmpOf(document)
  const withoutPdfA = xmp.replace(pdfA, '')
  const left = keepsPdfUa ? withoutPdfA : withoutPdfA.replace(pdfUa, '')
  if (left === xmp) return []
  const stream = PDFRawStream.of(context.obj({ Type: 'Metadata', Subtype: 'XML' }), Buffer.from(left, 'utf8'))
  set(catalog, 'Metadata', context.register(stream))
  return [claimLost]
}
