import type { PDFPageProxy } from 'pdfjs-dist'
import type { OpenedPdf } from './open-pdf.ts'
import { Sheet } from './sheet.ts'

export interface PdfViewOptions {
  /** What scrolls: the host, or an element around it. */
  scroller: HTMLElement
  /** Called when the page of a document that one looks at is drawn. */
  onDrawn?(revision: number, pages: number): void
  onPage?(page: number): void
  /** Called when the pages have another size: 1 is as large as on paper. */
  onScale?(scale: number): void
  /** Called for each page that is added or removed, with the element beside it. */
  onSheet?(page: number, notes: HTMLElement, isThere: boolean): void
}

/** CSS pixels of a point. */
const pointPx = 96 / 72
/** The pages beside those that are seen are drawn, too. */
const aheadPx = 400
/** Of the pages that are farther away, so many keep their picture: those of 500 pages would fill the memory. */
const maxFar = 2

/** pdf.js has half a megabyte, and is loaded when the first PDF is to be shown. */
const loadOpener = () => import('./open-pdf.ts')

/** The pages of a PDF, below each other. Pages of a new document replace old ones when they are drawn, so that nothing flickers. */
export class PdfView {
  readonly #host: HTMLElement
  readonly #options: PdfViewOptions
  readonly #resized: ResizeObserver
  #sheets: Sheet[] = []
  #pdf: OpenedPdf | undefined
  #revision = 0
  /** `fit`: as wide as there is room. 1: as large as on paper. */
  #zoom: number | 'fit' = 'fit'
  /** The width for a page, in CSS pixels. */
  #roomPx = 0
  /** Counts what is to be drawn. An older count ends its work. */
  #turn = 0
  #frame = 0

  constructor(host: HTMLElement, options: PdfViewOptions) {
    this.#host = host
    this.#options = options
    // Begins before the bytes are there. `show` reports an error.
    loadOpener().catch(() => {})
    options.scroller.addEventListener('scroll', this.#later, { passive: true })
    this.#resized = new ResizeObserver(() => {
      this.#place()
      this.#later()
    })
    this.#resized.observe(host)
    if (options.scroller !== host) this.#resized.observe(options.scroller)
  }

  /**
   * Shows the page that one looks at first, and the others as they are drawn. Resolves when those that can be seen are, or when a newer
   * document is shown.
   */
  async show(bytes: Uint8Array<ArrayBuffer>, revision: number): Promise<void> {
    const turn = ++this.#turn
    const { openPdf } = await loadOpener()
    const pdf = await openPdf(bytes)
    this.#measure()
    const { numPages } = pdf.document
    const [first, seen] = await Promise.all(
      [1, Math.min(this.#mostSeen(), numPages)].map((n) => pdf.document.getPage(n)),
    )
    if (first === undefined || seen === undefined) return pdf[Symbol.asyncDispose]()
    const canvas = await Sheet.paint(seen, this.#scaleOf(seen))
    if (turn !== this.#turn) return pdf[Symbol.asyncDispose]()
    const before = this.#pdf
    this.#pdf = pdf
    this.#revision = revision
    this.#resize(numPages, first)
    const sheet = this.#sheets[seen.pageNumber - 1]
    sheet?.setPage(seen)
    sheet?.put(canvas, revision)
    this.#place()
    this.#options.onDrawn?.(revision, numPages)
    await before?.[Symbol.asyncDispose]()
    await this.#draw()
  }

  set zoom(zoom: number | 'fit') {
    if (zoom === this.#zoom) return
    const { scroller } = this.#options
    const place = scroller.scrollHeight === 0 ? 0 : scroller.scrollTop / scroller.scrollHeight
    this.#zoom = zoom
    this.#place()
    scroller.scrollTop = place * scroller.scrollHeight
    this.#later()
  }

  destroy(): void {
    this.#turn++
    cancelAnimationFrame(this.#frame)
    this.#resized.disconnect()
    this.#options.scroller.removeEventListener('scroll', this.#later)
    void this.#pdf?.[Symbol.asyncDispose]()
    this.#pdf = undefined
  }

  readonly #later = () => {
    cancelAnimationFrame(this.#frame)
    this.#frame = requestAnimationFrame(() => void this.#redraw())
  }

  async #redraw(): Promise<void> {
    const { document } = this.#pdf ?? {}
    try {
      await this.#draw()
    } catch (err) {
      // Pages of a document that is let go of meanwhile cannot be drawn to their end.
      if (document === this.#pdf?.document) throw err
    }
  }

  /** Draws what is near and is of an older document or size. */
  async #draw(): Promise<void> {
    const turn = this.#turn
    const revision = this.#revision
    const near = this.#near(aheadPx)
    const [top] = this.#near(-40)
    if (top !== undefined) this.#options.onPage?.(top.number)
    for (const sheet of near) {
      const page = await this.#pdf?.document.getPage(sheet.number)
      if (page === undefined || turn !== this.#turn || !this.#near(aheadPx).includes(sheet)) return
      sheet.setPage(page)
      sheet.place(this.#scaleOf(page))
      if (!sheet.isStale(revision, this.#scaleOf(page))) continue
      const scale = this.#scaleOf(page)
      const canvas = await Sheet.paint(page, scale)
      if (turn !== this.#turn) return
      // After a change of the zoom, a newer one is under way.
      if (scale === this.#scaleOf(page)) sheet.put(canvas, revision)
    }
    const far = this.#sheets.filter((sheet) => sheet.isDrawn && !near.includes(sheet))
    for (const sheet of far.slice(0, Math.max(0, far.length - maxFar))) sheet.clear()
  }

  /** The pages that can be seen, or are less than so far from what can be seen. */
  #near(marginPx: number): Sheet[] {
    const { top, bottom } = this.#options.scroller.getBoundingClientRect()
    return this.#sheets.filter(({ element }) => {
      const sheet = element.getBoundingClientRect()
      return sheet.bottom + marginPx > top && sheet.top - marginPx < bottom
    })
  }

  /** The number of the page of which most can be seen. */
  #mostSeen(): number {
    const { top, bottom } = this.#options.scroller.getBoundingClientRect()
    let [page, most] = [1, 0]
    for (const { element, number } of this.#near(0)) {
      const sheet = element.getBoundingClientRect()
      const height = Math.min(sheet.bottom, bottom) - Math.max(sheet.top, top)
      if (height > most) [page, most] = [number, height]
    }
    return page
  }

  #resize(count: number, like: PDFPageProxy): void {
    for (const sheet of this.#sheets.splice(count)) {
      this.#options.onSheet?.(sheet.number, sheet.notes, false)
      sheet.remove()
    }
    while (this.#sheets.length < count) {
      const sheet = new Sheet(this.#sheets.length + 1)
      sheet.setPage(like)
      this.#sheets.push(sheet)
      this.#host.append(sheet.element)
      this.#options.onSheet?.(sheet.number, sheet.notes, true)
    }
    for (const sheet of this.#sheets) sheet.label(count)
  }

  #measure(): void {
    const { paddingLeft, paddingRight } = getComputedStyle(this.#host)
    this.#roomPx = this.#host.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight)
  }

  #place(): void {
    this.#measure()
    for (const sheet of this.#sheets) sheet.place(this.#scaleOf(sheet))
    const [first] = this.#sheets
    if (first !== undefined) this.#options.onScale?.(this.#scaleOf(first) / pointPx)
  }

  #scaleOf(page: PDFPageProxy | Sheet): number {
    if (this.#zoom !== 'fit') return this.#zoom * pointPx
    const width = page instanceof Sheet ? page.widthPt : page.getViewport({ scale: 1 }).width
    return Math.max(0.1, this.#roomPx / width)
  }
}
