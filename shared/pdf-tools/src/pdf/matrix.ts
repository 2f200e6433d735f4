import { type Box, boxOf, type PdfPage, rotationOf } from './read-pages.ts'

/** A transformation [a b c d e f] (ISO 32000-2, 8.3.3). */
export type Matrix = readonly [number, number, number, number, number, number]

/** How large a page is as it is shown, in points, and how its visible coordinates become those of its content. */
export interface View {
  width: number
  height: number
  /** From points right of and above the lower left corner as it is shown. */
  toContent: Matrix
  fromContent: Matrix
  box: Box
}

export function viewOf(page: PdfPage): View {
  const box = boxOf(page)
  const { x, y, width: w, height: h } = box
  switch (rotationOf(page)) {
    case 90:
      return { width: h, height: w, toContent: [0, 1, -1, 0, x + w, y], fromContent: [0, -1, 1, 0, -y, x + w], box }
    case 180:
      return {
        width: w,
        height: h,
        toContent: [-1, 0, 0, -1, x + w, y + h],
        fromContent: [-1, 0, 0, -1, x + w, y + h],
        box,
      }
    case 270:
      return { width: h, height: w, toContent: [0, -1, 1, 0, x, y + h], fromContent: [0, 1, -1, 0, y + h, -x], box }
    default:
      return { width: w, height: h, toContent: [1, 0, 0, 1, x, y], fromContent: [1, 0, 0, 1, -x, -y], box }
  }
}

/** The operator that applies a transformation. */
export const cm = (matrix: Matrix): string => `${matrix.map(number).join(' ')} cm`

/** A number as PDF writes it: without an exponent. */
export const number = (value: number): string => String(Number(value.toFixed(5)))

export const pointsOfMm = (mm: number): number => (mm * 72) / 25.4
