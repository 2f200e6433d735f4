import { type Canvas, createCanvas } from '@napi-rs/canvas'
import pixelmatch from 'pixelmatch'
import type { PrintedPage } from './read-pages.ts'

export const aspects = ['status', 'pages', 'sizes', 'text', 'pixels'] as const
export type Aspect = (typeof aspects)[number]

/** One thing in which two printings of a document are not the same. */
export interface Difference {
  aspect: Aspect
  /** The first page with the difference, from 1. */
  page?: number
  /** What plain Chromium and Platen have there. */
  plain: string
  platen: string
}

/** Chromium writes sizes in whole or half points. */
const sizeTolerancePt = 0.75
const maxQuoted = 160

/** At most one difference for each aspect, found on the first page that has it. */
export function comparePages(plain: readonly PrintedPage[], platen: readonly PrintedPage[]): Difference[] {
  const pages = plain.length !== platen.length ? [pageCounts(plain, platen)] : []
  const found = plain.flatMap((page, index) => {
    const other = platen[index]
    return other ? comparePage(page, other, index + 1) : []
  })
  const first = aspects.map((aspect) => found.find((difference) => difference.aspect === aspect))
  return [...pages, ...first.filter((difference) => difference !== undefined)]
}

const pageCounts = (plain: readonly PrintedPage[], platen: readonly PrintedPage[]): Difference => ({
  aspect: 'pages',
  page: Math.min(plain.length, platen.length),
  plain: `${plain.length} pages`,
  platen: `${platen.length} pages`,
})

function comparePage(plain: PrintedPage, platen: PrintedPage, page: number): Difference[] {
  const differences: Difference[] = []
  if (!sameSize(plain, platen)) {
    differences.push({ aspect: 'sizes', page, plain: shownSize(plain), platen: shownSize(platen) })
  }
  if (plain.text !== platen.text)
    differences.push({ aspect: 'text', page, ...quoteDifference(plain.text, platen.text) })
  const pixels = differentPixels(plain.picture, platen.picture)
  if (pixels > 0) differences.push({ aspect: 'pixels', page, plain: '', platen: `${pixels} pixels differ` })
  return differences
}

const sameSize = (a: PrintedPage, b: PrintedPage) =>
  Math.abs(a.widthPt - b.widthPt) < sizeTolerancePt && Math.abs(a.heightPt - b.heightPt) < sizeTolerancePt

const shownSize = ({ widthPt, heightPt }: PrintedPage) => `${Math.round(widthPt)} × ${Math.round(heightPt)} pt`

/** Excerpts of both texts, from a little before their first difference. */
function quoteDifference(plain: string, platen: string): Pick<Difference, 'plain' | 'platen'> {
  let same = 0
  while (same < plain.length && plain[same] === platen[same]) same += 1
  const from = Math.max(0, same - 40)
  const quote = (text: string) => {
    const rest = text.slice(from, from + maxQuoted)
    return `${from > 0 ? '…' : ''}${rest}${text.length > from + maxQuoted ? '…' : ''}`
  }
  return { plain: quote(plain), platen: quote(platen) }
}

/** Pixels that are visibly not the same; those that only one of the pictures has count as well. */
function differentPixels(plain: Canvas | undefined, platen: Canvas | undefined): number {
  if (!plain || !platen) return 0
  return comparePictures(plain, platen).count
}

/** Differences are red, the rest is faint. */
export function drawDifference(plain: Canvas, platen: Canvas): Canvas {
  return comparePictures(plain, platen).difference
}

function comparePictures(plain: Canvas, platen: Canvas): { count: number; difference: Canvas } {
  const width = Math.max(plain.width, platen.width)
  const height = Math.max(plain.height, platen.height)
  const difference = createCanvas(width, height)
  const context = difference.getContext('2d')
  const output = context.createImageData(width, height)
  const [one, other] = [pixelsOf(plain, width, height), pixelsOf(platen, width, height)]
  const count = pixelmatch(one, other, output.data, width, height, { threshold: 0.1, includeAA: true })
  context.putImageData(output, 0, 0)
  return { count, difference }
}

/** Beyond a smaller picture there is a grey that no sheet has. */
function pixelsOf(picture: Canvas, width: number, height: number): Uint8ClampedArray {
  if (picture.width === width && picture.height === height) {
    return picture.getContext('2d').getImageData(0, 0, width, height).data
  }
  const canvas = createCanvas(width, height)
  const context = canvas.getContext('2d')
  context.fillStyle = '#7f8081'
  context.fillRect(0, 0, width, height)
  context.drawImage(picture, 0, 0)
  return context.getImageData(0, 0, width, height).data
}
