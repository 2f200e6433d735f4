import type { PDFiumDocument } from '@hyzyla/pdfium'
import type { ComparedPage, PageArea } from '@platen/domain/generation/page-comparison.ts'
import { encodePng } from '@platen/pdf-tools/pdfium/encode-png.ts'
import { withPdfium } from '@platen/pdf-tools/pdfium/with-pdfium.ts'
import { alignPages, type PagePair } from './align-pages.ts'
import { type Box, differingPixels } from './differing-pixels.ts'
import { draw, lookOf, type PageLook, type Picture, scaleOf, sizeOf } from './page-look.ts'
import type { NeedsPassword, PagesToCompare } from './pages-to-compare.ts'

const mmPerPoint = 25.4 / 72

/** The JSON of ComparedPage[]. Returns undefined if the pictures would have too many bytes. */
// biome-ignore lint/style/noDefaultExport: the pool takes no other
export default async function comparePages(task: PagesToCompare): Promise<Uint8Array | NeedsPassword | undefined> {
  return withPdfium(async (library) => {
    using opened = new DisposableStack()
    const open = async (pdf: Uint8Array) => {
      const document = await library.loadDocument(pdf).catch(undefinedIfLocked)
      return document && opened.adopt(document, () => document.destroy())
    }
    const [from, to] = [await open(task.from), await open(task.to)]
    if (!from || !to) return { needsPassword: from ? 'to' : 'from' }
    const documents = { from, to }
    const looks = { from: await looksOf(documents.from, task), to: await looksOf(documents.to, task) }
    const pages: ComparedPage[] = []
    let bytes = 0
    for (const pair of alignPages(looks.from, looks.to)) {
      const page = await comparePair(documents, { looks, pair, task })
      bytes += (page.from?.image?.length ?? 0) + (page.to?.image?.length ?? 0)
      if (bytes > task.limits.imagesBytes) return undefined
      pages.push(page)
    }
    return Buffer.from(JSON.stringify(pages))
  })
}

/** The error of the library has no code. */
function undefinedIfLocked(err: unknown): undefined {
  if (!(err instanceof Error) || !err.message.startsWith('Password required')) throw err
}

async function looksOf(document: PDFiumDocument, { limits }: PagesToCompare): Promise<PageLook[]> {
  const looks: PageLook[] = []
  for (const page of document.pages()) {
    const size = sizeOf(page)
    const text = page.getText()
    looks.push(lookOf(text, size, await draw(page, scaleOf(size, limits.pixels))))
  }
  return looks
}

interface Pairing {
  looks: { from: readonly PageLook[]; to: readonly PageLook[] }
  pair: PagePair
  task: PagesToCompare
}

type Documents = Record<'from' | 'to', PDFiumDocument>

async function comparePair(documents: Documents, { looks, pair, task }: Pairing): Promise<ComparedPage> {
  const { ignored, images, limits } = task
  const [before, after] = [lookAt(looks.from, pair.from), lookAt(looks.to, pair.to)]
  const sides = { ...(before && { from: sideOf(before) }), ...(after && { to: sideOf(after) }) }
  if (before && before.digest === after?.digest) return { status: 'same', share: 0, boxes: [], ...sides }
  const scale = Math.min(...[before, after].flatMap((look) => (look ? [scaleOf(look, limits.pixels)] : [])))
  const mm = mmPerPoint / scale
  const old = before && (images || after) ? await draw(documents.from.getPage(before.index), scale) : undefined
  const now = after && (images || before) ? await draw(documents.to.getPage(after.index), scale) : undefined
  if (images && sides.from && old) sides.from.image = pngOf(old)
  if (images && sides.to && now) sides.to.image = pngOf(now)
  if (!before || !after || !old || !now) return { status: before ? 'removed' : 'added', share: 1, boxes: [], ...sides }
  const hidden = ignored
    .filter(({ page }) => page === undefined || page === after.index + 1)
    .map(({ x, y, width, height }) => ({ x: x / mm, y: y / mm, width: width / mm, height: height / mm }))
  const { count, pixels, boxes } = differingPixels(old, now, { ignored: hidden, maxBoxes: limits.boxes })
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
