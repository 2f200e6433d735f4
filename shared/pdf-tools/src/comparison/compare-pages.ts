import type { PDFiumDocument } from '@hyzyla/pdfium'
import { type ComparedPage, comparisonLimits, type PageArea } from '@platen/domain/generation/page-comparison.ts'
import { encodePng } from '../images/encode-png.ts'
import { openDocument, openPage, withPdfium } from '../pdfium/with-pdfium.ts'
import { beginPairs } from '../task/part.ts'
import { refuse } from '../task/pdf-tool-failed.ts'
import type { ComparePages, PdfBounds, PdfFile, PdfSource } from '../task/task.ts'
import { alignPages, type PagePair } from './align-pages.ts'
import { type Box, differingPixels } from './differing-pixels.ts'
import { draw, lookOf, type PageLook, type Picture, scaleOf, sizeOf } from './page-look.ts'

const mmPerPoint = 25.4 / 72
const { pages: maxPages, pixels: maxPixels, boxes: maxBoxes, imagesBytes } = comparisonLimits

/** The JSON of ComparedPage[] of two PDFs. Throws PdfToolFailed. */
export function comparePages(
  [from, to]: readonly PdfSource[],
  task: ComparePages,
  bounds: PdfBounds,
): Promise<PdfFile[]> {
  if (!from || !to) return refuse('invalid', 'Two PDFs are compared')
  return withPdfium(bounds, async (library) => {
    using opened = new DisposableStack()
    const open = async ({ bytes }: PdfSource, side: Side) => {
      const what = whatOf(side)
      const document = await openDocument(library, bytes, what)
      opened.defer(() => document.destroy())
      // PDFium may find more pages than the program that has counted them before.
      const pages = document.getPageCount()
      if (pages > maxPages) refuse('too-many-pages', `${what} has ${pages} pages, at most ${maxPages} are compared`)
      return document
    }
    const documents = { from: await open(from, 'from'), to: await open(to, 'to') }
    const looks = { from: await looksOf(documents, 'from'), to: await looksOf(documents, 'to') }
    const pages: ComparedPage[] = []
    let bytes = 0
    beginPairs(looks.from.length, looks.to.length)
    for (const pair of alignPages(looks.from, looks.to)) {
      const page = await comparePair(documents, { looks, pair, task })
      bytes += (page.from?.image?.length ?? 0) + (page.to?.image?.length ?? 0)
      if (bytes > imagesBytes) {
        const limit = `more than ${imagesBytes / 2 ** 20} MiB`
        refuse(
          'too-large',
          `The images of the pages have ${limit}; leave out images, and get those of single pages with POST /v1/preview`,
        )
      }
      pages.push(page)
    }
    return [{ bytes: Buffer.from(JSON.stringify(pages)), mediaType: 'application/json' }]
  })
}

type Side = 'from' | 'to'
type Documents = Record<Side, PDFiumDocument>

const whatOf = (side: Side) => `The PDF of \`${side}\``

async function looksOf(documents: Documents, side: Side): Promise<PageLook[]> {
  const looks: PageLook[] = []
  const document = documents[side]
  for (let index = 0; index < document.getPageCount(); index++) {
    const page = openPage(document, index, whatOf(side))
    const size = sizeOf(page)
    const text = page.getText()
    looks.push(lookOf(text, size, await draw(page, scaleOf(size, maxPixels))))
  }
  return looks
}

interface Pairing {
  looks: { from: readonly PageLook[]; to: readonly PageLook[] }
  pair: PagePair
  task: ComparePages
}

async function comparePair(documents: Documents, { looks, pair, task }: Pairing): Promise<ComparedPage> {
  const { ignored, images } = task
  const [before, after] = [lookAt(looks.from, pair.from), lookAt(looks.to, pair.to)]
  const sides = { ...(before && { from: sideOf(before) }), ...(after && { to: sideOf(after) }) }
  if (before && before.digest === after?.digest) return { status: 'same', share: 0, boxes: [], ...sides }
  const scale = Math.min(...[before, after].flatMap((look) => (look ? [scaleOf(look, maxPixels)] : [])))
  const mm = mmPerPoint / scale
  const old = before && (images || after) ? await draw(documents.from.getPage(before.index), scale) : undefined
  const now = after && (images || before) ? await draw(documents.to.getPage(after.index), scale) : undefined
  if (images && sides.from && old) sides.from.image = pngOf(old)
  if (images && sides.to && now) sides.to.image = pngOf(now)
  if (!before || !after || !old || !now) return { status: before ? 'removed' : 'added', share: 1, boxes: [], ...sides }
  const hidden = ignored
    .filter(({ page }) => page === undefined || page === after.index + 1)
    .map(({ x, y, width, height }) => ({ x: x / mm, y: y / mm, width: width / mm, height: height / mm }))
  const { count, pixels, boxes } = differingPixels(old, now, { ignored: hidden, maxBoxes })
  if (count === 0) {
    delete sides.from?.image
    delete sides.to?.image
    return { status: 'same', share: 0, boxes: [], ...sides }
  }
  return { status: 'changed', share: count / pixels, boxes: boxes.map((box) => areaOf(box, mm)), ...sides }
}

interface IndexedLook extends PageLook {
  index: number
}

function lookAt(looks: readonly PageLook[], index: number | undefined): IndexedLook | undefined {
  const look = index === undefined ? undefined : looks[index]
  return look && index !== undefined ? { ...look, index } : undefined
}

const sideOf = ({ index, width, height }: IndexedLook): NonNullable<ComparedPage['from']> => ({
  page: index + 1,
  width: tenths(width * mmPerPoint, Math.round),
  height: tenths(height * mmPerPoint, Math.round),
})

const tenths = (value: number, round: (value: number) => number) => round(value * 10) / 10

/** The area in mm, rounded outwards to contain the whole box. */
function areaOf({ x, y, width, height }: Box, mm: number): PageArea {
  const [left, top] = [tenths(x * mm, Math.floor), tenths(y * mm, Math.floor)]
  const [right, bottom] = [tenths((x + width) * mm, Math.ceil), tenths((y + height) * mm, Math.ceil)]
  return { x: left, y: top, width: tenths(right - left, Math.round), height: tenths(bottom - top, Math.round) }
}

const pngOf = (picture: Picture) => Buffer.from(encodePng(picture)).toString('base64')
