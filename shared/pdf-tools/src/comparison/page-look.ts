import { createHash } from 'node:crypto'
import type { PDFiumPage } from '@hyzyla/pdfium'
import { beginPage } from '../task/part.ts'

/** A drawn page: four bytes for each pixel. */
export interface Picture {
  width: number
  height: number
  pixels: Uint8Array
}

/** The part of a page that is kept while the others are drawn. */
export interface PageLook {
  /** In points. */
  width: number
  height: number
  /** Hash of the size and the pixels: equal for pages that look the same. */
  digest: string
  /** How often it has each word. */
  words: ReadonlyMap<string, number>
  /** How dark the cells of a grid over the page are. */
  ink: Float32Array
}

/** In points. */
export type PageSize = Pick<PageLook, 'width' | 'height'>

export function sizeOf(page: PDFiumPage): PageSize {
  const { originalWidth, originalHeight } = page.getOriginalSize()
  return { width: originalWidth, height: originalHeight }
}

/** Pixels of a point: one for each pixel of CSS, or fewer, so that the picture has no more than the limit. */
export function scaleOf({ width, height }: PageSize, maxPixels: number): number {
  return Math.min(96 / 72, Math.sqrt(maxPixels / (width * height)))
}

/** Closes the page, too: it must be loaded anew to be drawn again. One that is loaded and not drawn stays in memory. */
export async function draw(page: PDFiumPage, scale: number): Promise<Picture> {
  const size = sizeOf(page)
  const pixelsOf = (points: number) => Math.max(1, Math.round(points * scale))
  const [width, height] = [pixelsOf(size.width), pixelsOf(size.height)]
  beginPage('draw', { width, height })
  const image = await page.render({ width, height, render: async ({ data }) => data })
  // Who asked for it looks at each pixel, and may encode it.
  beginPage('encode', { width, height })
  return { width, height, pixels: image.data }
}

/** More than a page has that can be read. The words of all pages are kept until they are paired. */
const maxTextChars = 10_000
const columns = 24
const rows = 32

export function lookOf(text: string, size: PageSize, { width, height, pixels }: Picture): PageLook {
  const words = new Map<string, number>()
  for (const [word] of text.slice(0, maxTextChars).matchAll(/[\p{L}\p{N}]+/gu)) {
    words.set(word, (words.get(word) ?? 0) + 1)
  }
  const ink = new Float32Array(columns * rows)
  // Every second pixel of every second line is enough.
  for (let y = 0; y < height; y += 2) {
    const row = Math.floor((y / height) * rows) * columns
    for (let x = 0; x < width; x += 2) {
      const cell = row + Math.floor((x / width) * columns)
      ink[cell] = (ink[cell] ?? 0) + 255 - (pixels[4 * (y * width + x) + 1] ?? 255)
    }
  }
  // Of a page with more pixels than the limit, the size of the picture says only the proportions.
  const sizes = [size.width, size.height, width, height].join(' ')
  const digest = createHash('sha256').update(sizes).update(pixels).digest('hex')
  return { ...size, digest, words, ink }
}
