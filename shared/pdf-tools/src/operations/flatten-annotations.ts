import { PDFDict, type PDFObject } from '@cantoo/pdf-lib'
import { PageContent } from '../pdf/content.ts'
import { arrayIn, itemsOf, name, nameIn, resolved } from '../pdf/entries.ts'
import type { OpenPdf } from '../pdf/open-pdf.ts'
import type { PdfPage } from '../pdf/read-pages.ts'
import { appearanceOf, drawAppearance } from './flatten.ts'

/** Makes annotations content of their pages, as they are shown (ISO 32000-2, 12.5). What shows nothing, such as a link, is removed. */
export function flattenAnnotations({ pages }: OpenPdf): void {
  for (const page of pages) {
    if (itemsOf(arrayIn(page.dict, 'Annots')).length > 0) drawAll(page)
    page.dict.delete(name('Annots'))
  }
}

function drawAll(page: PdfPage): void {
  const content = new PageContent(page)
  for (const object of itemsOf(arrayIn(page.dict, 'Annots'))) {
    const drawn = drawnBy(content, page, object)
    if (drawn !== undefined) content.add('over', drawn)
  }
  content.write()
}

function drawnBy(content: PageContent, page: PdfPage, object: PDFObject): string | undefined {
  const { context } = page.dict
  const annotation = resolved(context, object)
  // A popup is shown only while its note is open.
  if (!(annotation instanceof PDFDict) || nameIn(annotation, 'Subtype') === 'Popup') return undefined
  const appearance = appearanceOf(context, annotation)
  const drawn = appearance && drawAppearance(content, annotation, appearance)
  return drawn && `/Artifact BMC\n${drawn}\nEMC`
}
