import { type PDFArray, type PDFContext, PDFDict, type PDFObject, PDFRef, PDFStream } from '@cantoo/pdf-lib'
import { PageContent } from '../pdf/content.ts'
import { arrayIn, dictIn, itemsOf, name, nameIn, numberIn, resolved } from '../pdf/entries.ts'
import { cm, type Matrix } from '../pdf/matrix.ts'
import type { OpenPdf } from '../pdf/open-pdf.ts'
import type { PdfPage } from '../pdf/read-pages.ts'
import { arrayOf } from '../pdf/trees.ts'
import type { PdfTask } from '../task/task.ts'
import { updateAppearances } from './form-fields.ts'
import { FormTags } from './form-tags.ts'

/**
 * Makes form fields content of their pages, as they are shown. Their tags then describe that content. Returns warnings.
 */
export async function flatten(pdf: OpenPdf, { fonts }: Pick<PdfTask, 'fonts'> = {}): Promise<string[]> {
  const { catalog, pages } = pdf
  if (!catalog.has(name('AcroForm'))) return ['The PDF has no form fields']
  const warnings = await updateAppearances(pdf, { fonts })
  const tags = new FormTags(pdf)
  for (const page of pages) flattenPage(page, tags)
  tags.write()
  catalog.delete(name('AcroForm'))
  return warnings
}

/** Annotation flags (ISO 32000-2, table 167): hidden, and not shown on the screen. */
const notShown = 2 | 32

function flattenPage(page: PdfPage, tags: FormTags): void {
  const { context } = page.dict
  const annotations = itemsOf(arrayIn(page.dict, 'Annots'))
  const isWidget = (object: PDFObject) => {
    const dict = resolved(context, object)
    return dict instanceof PDFDict && nameIn(dict, 'Subtype') === 'Widget'
  }
  const widgets = annotations.filter(isWidget)
  if (widgets.length === 0) return
  const content = new PageContent(page)
  for (const object of widgets) {
    const widget = resolved(context, object)
    if (!(widget instanceof PDFDict)) continue
    const appearance = appearanceOf(context, widget)
    const drawn = appearance && drawAppearance(content, widget, appearance)
    if (drawn) content.add('over', tags.tagged(widget, object, page, drawn))
    else tags.remove(widget, object)
  }
  content.write()
  const kept = annotations.filter((object) => !isWidget(object))
  if (kept.length > 0) page.dict.set(name('Annots'), arrayOf(context, kept))
  else page.dict.delete(name('Annots'))
}

/** The normal appearance in the state of the widget; undefined if it shows nothing. */
export function appearanceOf(context: PDFContext, widget: PDFDict): { ref: PDFRef; stream: PDFStream } | undefined {
  if (((numberIn(widget, 'F') ?? 0) & notShown) !== 0) return undefined
  const appearances = dictIn(widget, 'AP')
  let found = appearances?.get(name('N'))
  const states = resolved(context, found)
  if (states instanceof PDFDict) found = states.get(name(nameIn(widget, 'AS') ?? 'Off'))
  const stream = resolved(context, found)
  if (!(stream instanceof PDFStream)) return undefined
  return { ref: found instanceof PDFRef ? found : context.register(stream), stream }
}

/** Draws it as viewers do (ISO 32000-2, 12.5.5, algorithm 8): its box in the rectangle of the annotation. */
export function drawAppearance(
  content: PageContent,
  widget: PDFDict,
  { ref, stream }: { ref: PDFRef; stream: PDFStream },
): string | undefined {
  const box = numbersOf(arrayIn(stream.dict, 'BBox'), 4)
  const rect = numbersOf(arrayIn(widget, 'Rect'), 4)
  if (!box || !rect) return undefined
  const matrix = numbersOf(arrayIn(stream.dict, 'Matrix'), 6) ?? [1, 0, 0, 1, 0, 0]
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = matrix
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = box
  const corners = [x1, x2].flatMap((x) => [y1, y2].map((y) => [a * x + c * y + e, b * x + d * y + f] as const))
  const from = bounds(corners)
  const to = bounds([
    [rect[0] ?? 0, rect[1] ?? 0],
    [rect[2] ?? 0, rect[3] ?? 0],
  ])
  if (from.width === 0 || from.height === 0 || to.width === 0 || to.height === 0) return undefined
  const [sx, sy] = [to.width / from.width, to.height / from.height]
  const placed: Matrix = [sx, 0, 0, sy, to.x - from.x * sx, to.y - from.y * sy]
  stream.dict.set(name('Type'), name('XObject'))
  stream.dict.set(name('Subtype'), name('Form'))
  return `q\n${cm(placed)}\n${content.resource('XObject', ref)} Do\nQ`
}

function bounds(points: readonly (readonly [number, number])[]) {
  const xs = points.map(([x]) => x)
  const ys = points.map(([, y]) => y)
  const [x, y] = [Math.min(...xs), Math.min(...ys)]
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y }
}

function numbersOf(array: PDFArray | undefined, count: number): number[] | undefined {
  const numbers = itemsOf(array).map((_, at) => Number(array?.lookup(at)?.toString()))
  return numbers.length === count && numbers.every(Number.isFinite) ? numbers : undefined
}
