import { PDFArray, type PDFContext, PDFDict, PDFName, type PDFObject, PDFRef } from '@cantoo/pdf-lib'
import { refuse } from '../task/pdf-tool-failed.ts'
import { arrayIn, dictIn, itemsOf, name, nameIn, resolved } from './entries.ts'

export interface PdfPage {
  ref: PDFRef
  dict: PDFDict
  /** The entries that a page has from its ancestors (ISO 32000-2, table 31), where it has none of its own. */
  inherited: Inherited
}

type Inherited = Readonly<Partial<Record<(typeof inheritable)[number], PDFObject>>>
const inheritable = ['Resources', 'MediaBox', 'CropBox', 'Rotate'] as const

/** The pages in order. A node of the tree that occurs twice is read once; a page that occurs twice is a page each time. */
export function readPages(context: PDFContext, catalog: PDFDict, maxPages: number, what: string): PdfPage[] {
  const pages: PdfPage[] = []
  let isRegular = true
  const seen = new Set<PDFDict>()
  const open: { object: PDFObject | undefined; inherited: Inherited }[] = [
    { object: catalog.get(name('Pages')), inherited: {} },
  ]
  while (open.length > 0) {
    const { object, inherited } = open.pop() ?? {}
    const node = resolved(context, object)
    if (object && !node) refuse('unreadable', `${what} is damaged: page ${pages.length + 1} is missing`)
    if (!(node instanceof PDFDict)) continue
    const kids = nameIn(node, 'Type') === 'Page' ? undefined : arrayIn(node, 'Kids')
    if (kids) {
      if (seen.has(node)) isRegular = false
      if (seen.has(node)) continue
      seen.add(node)
      const passedOn = { ...inherited, ...own(node) }
      open.push(
        ...itemsOf(kids)
          .reverse()
          .map((kid) => ({ object: kid, inherited: passedOn })),
      )
    } else if (node !== dictIn(catalog, 'Pages')) {
      if (pages.length >= maxPages) refuse('too-many-pages', `${what} has more than ${maxPages} pages`)
      const isRepeated = seen.has(node) || !(object instanceof PDFRef)
      seen.add(node)
      isRegular &&= !isRepeated
      const dict = isRepeated ? node.clone(context) : node
      pages.push({ ref: isRepeated ? context.register(dict) : object, dict, inherited: { ...inherited, ...own(node) } })
    }
  }
  if (!isRegular) writeTree(catalog, pages)
  return pages
}

/** In the place of a tree with circles, or with pages that occur twice. */
function writeTree(catalog: PDFDict, pages: readonly PdfPage[]): void {
  const { context } = catalog
  const root = context.nextRef()
  for (const { dict, inherited } of pages) {
    for (const [key, value] of Object.entries(inherited)) dict.set(name(key), value)
    dict.set(name('Parent'), root)
  }
  const kids = context.obj(pages.map(({ ref }) => ref))
  context.assign(root, context.obj({ Type: 'Pages', Count: pages.length, Kids: kids }))
  catalog.set(name('Pages'), root)
}

function own(node: PDFDict): Inherited {
  const entries = inheritable.map((key) => [key, node.get(PDFName.of(key))] as const)
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}

export interface Box {
  x: number
  y: number
  width: number
  height: number
}

/** A4, for a page that does not say. */
const defaultBox = [0, 0, 595.28, 841.89]

/** The visible box of a page in points (ISO 32000-2, 14.11.2): the crop box within the media box. */
export function boxOf({ dict, inherited }: PdfPage): Box {
  const read = (object: PDFObject | undefined) => {
    const array = resolved(dict.context, object)
    if (!(array instanceof PDFArray)) return undefined
    const numbers = array.asArray().map((item) => Number(resolved(dict.context, item)?.toString()))
    return numbers.length === 4 && numbers.every(Number.isFinite) ? numbers : undefined
  }
  const media = read(inherited.MediaBox) ?? defaultBox
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = read(inherited.CropBox) ?? media
  const box = { x: Math.min(x1, x2), y: Math.min(y1, y2), width: Math.abs(x2 - x1), height: Math.abs(y2 - y1) }
  return box.width > 0 && box.height > 0 ? box : { x: 0, y: 0, width: 595.28, height: 841.89 }
}

/** How a page is shown: 0, 90, 180 or 270 degrees clockwise. */
export function rotationOf({ dict, inherited }: PdfPage): number {
  const degrees = Number(resolved(dict.context, inherited.Rotate)?.toString() ?? 0)
  return Number.isFinite(degrees) ? (((Math.round(degrees / 90) * 90) % 360) + 360) % 360 : 0
}
