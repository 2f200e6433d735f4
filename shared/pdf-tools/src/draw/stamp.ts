import type { PDFDocument, PDFRef } from '@cantoo/pdf-lib'
import type { Stamp, StampPosition } from '@platen/domain/document/output-options.ts'
import { PageContent } from '../pdf/content.ts'
import { cm, type Matrix, number, pointsOfMm, viewOf } from '../pdf/matrix.ts'
import type { PdfPage } from '../pdf/read-pages.ts'

/** What a stamp draws, in points. */
export interface Drawing {
  width: number
  height: number
  /** The operators that draw it with its lower left corner at 0, 0. */
  operators: (content: PageContent) => string
}

/** Draws on a page as an artifact: it is not part of what the tags describe (ISO 32000-2, 14.8.2.2). */
export function draw(page: PdfPage, drawing: Drawing, stamp: Stamp, opacity: PDFRef | undefined): void {
  const content = new PageContent(page)
  const view = viewOf(page)
  const scale = stamp.width === undefined ? 1 : pointsOfMm(stamp.width) / drawing.width
  const size = { width: drawing.width * scale, height: drawing.height * scale }
  const { x, y } = placed(view, size, stamp)
  const turn = ((stamp.rotation ?? 0) * Math.PI) / 180
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)]
  // It turns around its middle.
  const turned: Matrix = [cos, sin, -sin, cos, x + size.width / 2, y + size.height / 2]
  const moved: Matrix = [scale, 0, 0, scale, -size.width / 2, -size.height / 2]
  const state = opacity ? `${content.resource('ExtGState', opacity)} gs\n` : ''
  const drawn = `${cm(view.toContent)}\n${cm(turned)}\n${cm(moved)}\n${state}${drawing.operators(content)}`
  content.add(stamp.layer ?? 'over', `${artifact} BDC\nq\n${drawn}\nQ\nEMC`)
  content.write()
}

const artifact = '/Artifact <</Type /Pagination /Subtype /Watermark>>'

type Size = Pick<Drawing, 'width' | 'height'>

function placed(page: Size, { width, height }: Size, { position = 'center', x = 0, y = 0 }: Stamp) {
  const [vertical, horizontal] = placesOf(position)
  const left = { left: 0, center: (page.width - width) / 2, right: page.width - width }[horizontal]
  const bottom = { top: page.height - height, middle: (page.height - height) / 2, bottom: 0 }[vertical]
  return { x: left + pointsOfMm(x), y: bottom - pointsOfMm(y) }
}

type Places = ['top' | 'middle' | 'bottom', 'left' | 'center' | 'right']

const placesOf = (position: StampPosition): Places =>
  position === 'center' ? ['middle', 'center'] : (position.split('-') as Places)

/** The graphics state that makes what follows transparent; undefined for none. */
export function opacityState({ context }: PDFDocument, opacity = 1): PDFRef | undefined {
  if (opacity >= 1) return undefined
  return context.register(context.obj({ Type: 'ExtGState', ca: opacity, CA: opacity }))
}

/** `rg` of a colour as #rrggbb. */
export function fillColour(colour = '#000000'): string {
  const parts = [1, 3, 5].map((at) => number(Number.parseInt(colour.slice(at, at + 2), 16) / 255))
  return `${parts.join(' ')} rg`
}
