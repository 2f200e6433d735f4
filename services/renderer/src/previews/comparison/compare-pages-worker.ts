import { type PDFiumDocument, PDFiumLibrary } from '@hyzyla/pdfium'
import type { ComparedPage, PageArea } from '@platen/domain/generation/page-comparison.ts'
import { encode } from 'fast-png'
import { alignPages, type PagePair } from './align-pages.ts'
import { type Box, differingPixels } from './differing-pixels.ts'
import { draw, lookOf, type PageLook, type Picture, scaleOf } from './page-look.ts'
import type { PagesToCompare } from './pages-to-compare.ts'

const library = PDFiumLibrary.init()
const mmPerPoint = 25.4 / 72

/** The JSON of ComparedPage[]. Returns undefined if the pictures would have too many bytes. */
// biome-ignore lint/style/noDefaultExport: the pool takes no other
export default async function comparePages(task: PagesToCompare): Promise<Uint8Array | undefined> {
  const from = await (await library).loadDocument(task.from)
  const to = await (await library).loadDocument(task.to)
  try {
    const looks = { from: await looksOf(from, task), to: await looksOf(to, task) }
    const pages: ComparedPage[] = []
    let bytes = 0
    for (const pair of alignPages(looks.from, looks.to)) {
      const page = await comparePair({ from, to }, { looks, pair, task })
      bytes += (page.from?.image?.length ?? 0) + (page.to?.image?.length ?? 0)
      if (bytes > task.limits.imagesBytes) return undefined
      pages.push(page)
    }
    return Buffer.from(JSON.stringify(pages))
  } finally {
    from.destroy()
    to.destroy()
  }
}

async function looksOf(document: PDFiumDocument, { limits }: PagesToCompare): Promise<PageLook[]> {
  const looks: PageLook[] = []
  for (const page of document.pages()) {
    looks.push(lookOf(page.getText(), await draw(page, scaleOf(page, limits.pixels))))
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
  const { from, to } = pair
  const { ignored, images, limits } = task
  const [before, after] = [pageAt(documents.from, from), pageAt(documents.to, to)]
  const sides = { ...(before && { from: sideOf(before) }), ...(after && { to: sideOf(after) }) }
  const isSame = from !== undefined && to !== undefined && looks.from[from]?.digest === looks.to[to]?.digest
  if (isSame) return { status: 'same', share: 0, boxes: [], ...sides }
  const scale = Math.min(...[before, after].flatMap((page) => (page ? [scaleOf(page, limits.pixels)] : [])))
  const mm = mmPerPoint / scale
  const old = before && (images || after) ? await draw(before, scale) : undefined
  const now = after && (images || before) ? await draw(after, scale) : undefined
  if (images && sides.from && old) sides.from.image = pngOf(old)
  if (images && sides.to && now) sides.to.image = pngOf(now)
  if (!before || !after || !old || !now) return { status: before ? 'removed' : 'added', share: 1, boxes: [], ...sides }
  const hidden = ignored
    .filter(({ page }) => page === undefined || page === after.number + 1)
    .map(({ x, y, width, height }) => ({ x: x / mm, y: y / mm, width: width / mm, height: height / mm }))
  const { count, pixels, boxes } = differingPixels(old, now, { ignored: hidden, maxBoxes: limits.boxes })
  if (count === 0) {
    delete sides.from?.image
    delete sides.to?.image
    return { status: 'same', share: 0, boxes: [], ...sides }
  }
  return { status: 'changed', share: count / pixels, boxes: boxes.map((box) => areaOf(box, mm)), ...sides }
}

const pageAt = (document: PDFiumDocument, index: number | undefined) =>
  index === undefined ? undefined : document.getPage(index)

type Page = ReturnType<PDFiumDocument['getPage']>

function sideOf(page: Page): NonNullable<ComparedPage['from']> {
  const { originalWidth, originalHeight } = page.getOriginalSize()
  return {
    page: page.number + 1,
    width: tenths(originalWidth * mmPerPoint, Math.round),
    height: tenths(originalHeight * mmPerPoint, Math.round),
  }
}

const tenths = (value: number, round: (value: number) => number) => round(value * 10) / 10

/** The area in mm, rounded outwards to contain the whole box. */
function areaOf({ x, y, width, height }: Box, mm: number): PageArea {
  const [left, top] = [tenths(x * mm, Math.floor), tenths(y * mm, Math.floor)]
  const [right, bottom] = [tenths((x + width) * mm, Math.ceil), tenths((y + height) * mm, Math.ceil)]
  return { x: left, y: top, width: tenths(right - left, Math.round), height: tenths(bottom - top, Math.round) }
}

const pngOf = ({ width, height, pixels }: Picture) =>
  Buffer.from(encode({ data: pixels, width, height, channels: 4, depth: 8 })).toString('base64')
