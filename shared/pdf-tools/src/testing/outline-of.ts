import type { PDFDict } from '@cantoo/pdf-lib'
import { destinationOf, pageOf, readDestinations } from '../compose/destinations.ts'
import { type OutlineEntry, readOutline } from '../compose/outline.ts'
import { arrayIn, asDict, itemsOf, textIn } from '../pdf/entries.ts'
import { type OpenPdf, openPdf } from '../pdf/open-pdf.ts'

export type OutlineText = [title: string, page: number, below: OutlineText[]]

export const opened = (bytes: Uint8Array): Promise<OpenPdf> => openPdf({ bytes }, 10_000)

/** The titles of an outline, and the pages that they lead to, from 1; 0 for none. */
export function outlineOf(pdf: OpenPdf): OutlineText[] {
  const text = ({ dict, children }: OutlineEntry): OutlineText => [
    textIn(dict, 'Title') ?? '',
    pageNumber(pdf, dict),
    children.map(text),
  ]
  return readOutline(pdf.context, pdf.catalog).map(text)
}

/** Where a link or an entry of the outline leads. */
export function pageNumber({ context, catalog, pages }: OpenPdf, dict: PDFDict): number {
  const ref = pageOf(context, destinationOf(dict), readDestinations(context, catalog))
  return pages.findIndex((page) => page.ref === ref) + 1
}

/** The annotations of a page, from 1. */
export function annotationsOf({ context, pages }: OpenPdf, page: number): PDFDict[] {
  const dict = pages[page - 1]?.dict
  const annotations = itemsOf(dict && arrayIn(dict, 'Annots'))
  return annotations.flatMap((item) => asDict(context.lookup(item)) ?? [])
}
