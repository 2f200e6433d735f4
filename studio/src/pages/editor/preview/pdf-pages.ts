import type { PDFPageProxy } from 'pdfjs-dist'
import { type OpenedPdf, openPdf } from '../../../parts/pdf/open-pdf.ts'
import { Sheet } from './sheet.ts'

export type Zoom = 'fit' | number

export interface PdfPagesOptions {
  /** Called when what can be seen of a document is drawn. */
  onDrawn(revision: number, pages: number): void
  onPage(page: number): void
  /** Called for each page that is added or removed, with the element beside it. */
  onSheet(page: number, notes: HTMLElement, isThere: boolean): void
}

/** CSS pixels of a point. */
const pointPx = 96 / 72
const paddingPx = 24
/** The pages beside those that are seen are drawn, too. */
const aheadPx = 400
/** So many canvases are kept. */
const maxDrawn = 12

/** The pages of a PDF, below each other. Pages of a new document replace old ones when they are drawn, so that nothing flickers. */
export class PdfPages {
  readonly #scroller: HTMLElement
  readonly #options: PdfPagesOptions
  readonly #resized: ResizeObserver
  #sheets: Sheet[] = []
  #pdf: OpenedPdf | undefined
  #revision = 0
  #zoom: Zoom = 'fit'
  /** Counts what is to be drawn. An older count ends its work. */
  #turn = 0
  #frame = 0

  constructor(scroller: HTMLElement, options: PdfPagesOptions) {
    this.#scroller = scroller
    this.#options = options
    scroller.addEventListener('scroll', this.#later, { passive: true })
    this.#resized = new ResizeObserver(() => {
      this.#place()
      this.#later()
    })
    this.#resized.observe(scroller)
  }

  /** Resolves when the pages that can be seen are drawn, or when a newer document is shown. */
  async show(bytes: Uint8Array<ArrayBuffer>, revision: number): Promise<void> {
    const turn = ++this.#turn
    const pdf = await openPdf(bytes)
    const { numPages } = pdf.document
    const first = await pdf.document.getPage(1)
    const seen = this.#sheets.filter((sheet) => this.#isNear(sheet, 0)).map(({ number }) => number)
    const wanted = [...new Set([1, ...seen])].filter((number) => number <= numPages)
    const pages = new Map(
      await Promise.all(wanted.map(async (number) => [number, await pdf.document.getPage(number)] as const)),
    )
    const canvases = await Promise.all(
      [...pages].map(async ([number, page]) => {
        const isSeen = seen.length === 0 || seen.includes(number)
        return [number, isSeen ? await Sheet.paint(page, this.#scaleOf(page)) : undefined] as const
      }),
    )
    if (turn !== this.#turn) return pdf[Symbol.asyncDispose]()
    const before = this.#pdf
    this.#pdf = pdf
    this.#revision = revision
    this.#resize(numPages, first)
    for (const [number, canvas] of canvases) {
      const [sheet, page] = [this.#sheets[number - 1], pages.get(number)]
      if (page !== undefined) sheet?.setPage(page)
      if (canvas !== undefined) sheet?.put(canvas, revision)
    }
    this.#place()
    this.#options.onDrawn(revision, numPages)
    await before?.[Symbol.asyncDispose]()
    await this.#draw()
  }

  set zoom(zoom: Zoom) {
    if (zoom === this.#zoom) return
    const { scrollTop, scrollHeight } = this.#scroller
    const place = scrollHeight === 0 ? 0 : scrollTop / scrollHeight
    this.#zoom = zoom
    this.#place()
    this.#scroller.scrollTop = place * this.#scroller.scrollHeight
    this.#later()
  }

  goTo(page: number): void {
    const sheet = this.#sheets[Math.min(page, this.#sheets.length) - 1]
    if (sheet !== undefined) this.#scroller.scrollTop = sheet.top - paddingPx / 2
  }

  destroy(): void {
    this.#turn++
    cancelAnimationFrame(this.#frame)
    this.#resized.disconnect()
    this.#scroller.removeEventListener('scroll', this.#later)
    void this.#pdf?.[Symbol.asyncDispose]()
  }

  readonly #later = () => {
    cancelAnimationFrame(this.#frame)
    this.#frame = requestAnimationFrame(() => void this.#draw())
  }

  /** Draws what is near and is of an older document or size. */
  async #draw(): Promise<void> {
    const turn = this.#turn
    const revision = this.#revision
    const near = this.#sheets.filter((sheet) => this.#isNear(sheet, aheadPx))
    const [top] = this.#sheets.filter((sheet) => this.#isNear(sheet, -40))
    if (top !== undefined) this.#options.onPage(top.number)
    for (const sheet of near) {
      const page = await this.#pdf?.document.getPage(sheet.number)
      if (page === undefined || turn !== this.#turn || !this.#isNear(sheet, aheadPx)) return
      sheet.setPage(page)
      sheet.place(this.#scaleOf(page))
      if (!sheet.isStale(revision, this.#scaleOf(page))) continue
      const scale = this.#scaleOf(page)
      const canvas = await Sheet.paint(page, scale)
      if (turn !== this.#turn) return
      // After a change of the zoom, a newer one is under way.
      if (scale === this.#scaleOf(page)) sheet.put(canvas, revision)
    }
    const drawn = this.#sheets.filter((sheet) => sheet.isDrawn && !near.includes(sheet))
    for (const sheet of drawn.slice(0, Math.max(0, drawn.length - maxDrawn))) sheet.clear()
  }

  #isNear({ top, height }: Sheet, marginPx: number): boolean {
    const { scrollTop, clientHeight } = this.#scroller
    return top + height + marginPx > scrollTop && top - marginPx < scrollTop + clientHeight
  }

  #resize(count: number, like: PDFPageProxy): void {
    for (const sheet of this.#sheets.splice(count)) {
      this.#options.onSheet(sheet.number, sheet.notes, false)
      sheet.remove()
    }
    while (this.#sheets.length < count) {
      const sheet = new Sheet(this.#sheets.length + 1)
      sheet.setPage(like)
      this.#sheets.push(sheet)
      this.#scroller.append(sheet.element)
      this.#options.onSheet(sheet.number, sheet.notes, true)
    }
    for (const sheet of this.#sheets) sheet.label(count)
  }

  #place(): void {
    for (const sheet of this.#sheets) sheet.place(this.#scaleOf(sheet))
  }

  #scaleOf(page: PDFPageProxy | Sheet): number {
    if (this.#zoom !== 'fit') return this.#zoom * pointPx
    const width = page instanceof Sheet ? page.widthPt : page.getViewport({ scale: 1 }).width
    return Math.max(0.1, (this.#scroller.clientWidth - 2 * paddingPx) / width)
  }
}
