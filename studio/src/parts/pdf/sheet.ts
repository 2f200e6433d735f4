import type { PDFPageProxy } from 'pdfjs-dist'

/** Larger canvases are refused by browsers. */
const maxPixels = 16_000_000

/** A page of a PDF: a place of its size, with the picture that was drawn last. */
export class Sheet {
  /** The page, and what is beside it. */
  readonly element = document.createElement('div')
  readonly #picture = document.createElement('div')
  /** What is said about the page. */
  readonly notes = document.createElement('div')
  readonly number: number
  widthPt = 595
  #heightPt = 842
  #revision = -1
  /** Of the picture. */
  #scale = 0

  constructor(number: number) {
    this.number = number
    this.element.className = 'pdf-place'
    this.#picture.className = 'paper'
    this.#picture.setAttribute('role', 'img')
    this.element.append(this.#picture, this.notes)
  }

  get isDrawn(): boolean {
    return this.#picture.firstChild !== null
  }

  label(count: number): void {
    this.#picture.setAttribute('aria-label', `Page ${this.number} of ${count}`)
  }

  setPage(page: PDFPageProxy): void {
    const { width, height } = page.getViewport({ scale: 1 })
    this.widthPt = width
    this.#heightPt = height
  }

  place(scale: number): void {
    this.#picture.style.width = `${Math.round(this.widthPt * scale)}px`
    this.#picture.style.height = `${Math.round(this.#heightPt * scale)}px`
  }

  isStale(revision: number, scale: number): boolean {
    return revision !== this.#revision || Math.abs(scale - this.#scale) > 0.001
  }

  put(canvas: HTMLCanvasElement, revision: number): void {
    this.#revision = revision
    this.#scale = Number(canvas.dataset.scale)
    this.#picture.replaceChildren(canvas)
  }

  clear(): void {
    this.#revision = -1
    this.#picture.replaceChildren()
  }

  remove(): void {
    this.element.remove()
  }

  /** Draws a page beside the document. */
  static async paint(page: PDFPageProxy, scale: number): Promise<HTMLCanvasElement> {
    const { width, height } = page.getViewport({ scale })
    const dense = Math.min(devicePixelRatio, Math.sqrt(maxPixels / (width * height)))
    const viewport = page.getViewport({ scale: scale * dense })
    const canvas = document.createElement('canvas')
    canvas.width = Math.ceil(viewport.width)
    canvas.height = Math.ceil(viewport.height)
    canvas.dataset.scale = String(scale)
    // With the intent `display`, each part of the page waits for the next frame of the screen.
    await page.render({ canvas, viewport, intent: 'print' }).promise
    canvas.dataset.drawn = ''
    return canvas
  }
}
