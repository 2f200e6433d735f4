import { PDFDict, PDFRef } from '@cantoo/pdf-lib'
import { arrayIn, dictIn, itemsOf, name, nameIn, resolved, textIn } from '../pdf/entries.ts'
import type { OpenPdf } from '../pdf/open-pdf.ts'
import type { PdfPage } from '../pdf/read-pages.ts'
import { arrayOf } from '../pdf/trees.ts'

/** The annotation in the place of an input. */
export interface InputLink {
  ref: PDFRef
  dict: PDFDict
  page: PdfPage
  /** Left, bottom, right and top, in points. */
  rect: readonly [number, number, number, number]
}

/**
 * The links to `url` with a number after it, by this number. Of several links to one number the first is kept. Links
 * without a box are removed.
 */
export function takeInputLinks({ context, pages }: OpenPdf, url: string): Map<number, InputLink> {
  const links = new Map<number, InputLink>()
  for (const page of pages) {
    const annotations = itemsOf(arrayIn(page.dict, 'Annots'))
    const kept = annotations.flatMap((object) => {
      const dict = resolved(context, object)
      const number = dict instanceof PDFDict ? numberOf(dict, url) : undefined
      if (!(dict instanceof PDFDict) || number === undefined) return object
      const rect = rectOf(dict)
      if (!rect || links.has(number)) return []
      const ref = object instanceof PDFRef ? object : context.register(dict)
      links.set(number, { ref, dict, page, rect })
      return ref
    })
    const isChanged = kept.length < annotations.length || kept.some((object, index) => object !== annotations[index])
    if (isChanged) page.dict.set(name('Annots'), arrayOf(context, kept))
  }
  return links
}

function numberOf(annotation: PDFDict, url: string): number | undefined {
  const action = nameIn(annotation, 'Subtype') === 'Link' ? dictIn(annotation, 'A') : undefined
  const target = action && textIn(action, 'URI')
  if (!target?.startsWith(url)) return undefined
  const number = target.slice(url.length)
  return /^\d{1,6}$/.test(number) ? Number(number) : undefined
}

function rectOf(annotation: PDFDict): InputLink['rect'] | undefined {
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = itemsOf(arrayIn(annotation, 'Rect')).map((item) => Number(item.toString()))
  const rect = [Math.min(x1, x2), Math.min(y1, y2), Math.max(x1, x2), Math.max(y1, y2)] as const
  const [left, bottom, right, top] = rect
  return rect.every(Number.isFinite) && right > left && top > bottom ? rect : undefined
}
