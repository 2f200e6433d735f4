import { type Canvas, createCanvas } from '@napi-rs/canvas'
import { getDocument, type PDFPageProxy, VerbosityLevel } from 'pdfjs-dist/legacy/build/pdf.mjs'

/** A page of a PDF as a reader sees it. */
export interface PrintedPage {
  widthPt: number
  heightPt: number
  /** The text with single spaces. */
  text: string
  /** Absent past the pages that are drawn. */
  picture?: Canvas
}

export interface ReadPagesOptions {
  /** Pixels for a point; 1 is 72 dots an inch. */
  scale?: number
  /** Pages that are drawn; the others are read only. */
  drawn?: number
}

/** Reads and draws a PDF by Mozilla's pdf.js, which shares nothing with the browser that printed it. */
export async function readPages(
  pdf: Uint8Array,
  { scale = 1, drawn = Number.POSITIVE_INFINITY }: ReadPagesOptions = {},
): Promise<PrintedPage[]> {
  const task = getDocument({ data: new Uint8Array(pdf), verbosity: VerbosityLevel.ERRORS })
  const document = await task.promise
  try {
    const pages: PrintedPage[] = []
    for (let number = 1; number <= document.numPages; number++) {
      const page = await document.getPage(number)
      const [left = 0, bottom = 0, right = 0, top = 0] = page.view
      const picture = number <= drawn ? await draw(page, scale) : undefined
      pages.push({
        widthPt: right - left,
        heightPt: top - bottom,
        text: await textOf(page),
        ...(picture && { picture }),
      })
      page.cleanup()
    }
    return pages
  } finally {
    await task.destroy()
  }
}

async function draw(page: PDFPageProxy, scale: number): Promise<Canvas> {
  const viewport = page.getViewport({ scale })
  const canvas = createCanvas(Math.max(1, Math.round(viewport.width)), Math.max(1, Math.round(viewport.height)))
  await page.render({ canvas, canvasContext: canvas.getContext('2d'), viewport }).promise
  return canvas
}

async function textOf(page: PDFPageProxy): Promise<string> {
  const { items } = await page.getTextContent()
  const strings = items.map((item) => ('str' in item ? item.str : ''))
  return strings.join(' ').replace(/\s+/g, ' ').trim()
}
