import type { PDFContext, PDFRef } from '@cantoo/pdf-lib'
import { Copier, type CopyTarget } from '../compose/copier.ts'
import { contentOf } from '../pdf/content.ts'
import { asDict, name } from '../pdf/entries.ts'
import { viewOf } from '../pdf/matrix.ts'
import type { OpenPdf } from '../pdf/open-pdf.ts'

export interface ImportedPage {
  /** A form (ISO 32000-2, 8.10) whose lower left corner is that of the page as it is shown. */
  ref: PDFRef
  /** In points. */
  width: number
  height: number
}

/** Makes a page of another PDF something that pages of `context` can draw. Its links and fields are left out. */
export function importPage(context: PDFContext, from: OpenPdf, pageNumber: number): ImportedPage | undefined {
  const page = from.pages[pageNumber - 1]
  if (!page) return undefined
  const target: CopyTarget = { context, shared: new Map() }
  const copier = new Copier(from.context, target, () => {})
  const { width, height, fromContent, box } = viewOf(page)
  const { inherited, dict } = page
  const form = context.flateStream(contentOf(page), {
    Type: 'XObject',
    Subtype: 'Form',
    BBox: [box.x, box.y, box.x + box.width, box.y + box.height],
    Matrix: [...fromContent],
  })
  form.dict.set(name('Resources'), inherited.Resources ? copier.share(inherited.Resources) : context.obj({}))
  const group = dict.get(name('Group'))
  if (group && asDict(dict.context.lookup(group))) form.dict.set(name('Group'), copier.copy(group))
  copier.finish()
  return { ref: context.register(form), width, height }
}
