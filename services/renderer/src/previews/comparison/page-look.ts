import { createHash } from 'node:crypto'
import type { PDFiumPage } from '@hyzyla/pdfium'

/** A drawn page: four bytes for each pixel. */
export interface Picture {
  width: number
  height: number
  pixels: Uint8Array
}

/** The part of a page that is kept while the others are drawn. */
export interface PageLook {
  /** Hash of the size and the pixels: equal for pages that look the same. */
  digest: string
  /** How often it has each word. */
  words: ReadonlyMap<string, number>
  /** How dark the cells of a grid over the page are. */
  ink: Float32Array
}

/** Pixels of a point: one for each pixel of CSS, or fewer, so that the picture has no more than the limit. */
export function scaleOf(page: PDFiumPage, maxPixels: number): number {
  const { originalWidth, originalHeight } = page.getOriginalSize()
  return Math.min(96 / 72, Math.sqrt(maxPixels / (originalWidth * originalHeight)))
}

export async function draw(page: PDFiumPage, scale: number): Promise<Picture> {
  const { originalWidth, originalHeight } = page.getOriginalSize()
  const pixelsOf = (points: number) => Math.max(1, Math.round(points * scale))
  const [width, height] = [pixelsOf(originalWidth), pixelsOf(originalHeight)]
  const image = await page.render({ width, height, render: async ({ data }) => data })
  return { width, height, pixels: image.data }
}

/** More would be of no use to tell pages apart. */
const maxTextChars = 50_000
const columns = 24
const rows = 32

export function lookOf(text: string, { width, height, pixels }: Picture): PageLook {
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
  const digest = createHash('sha256').update(`${width}x${height}`).update(pixels).digest('hex')
  return { digest, words, ink }
}
