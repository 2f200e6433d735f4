import type { PDFContext, PDFDict } from '@cantoo/pdf-lib'
import type { FormInput } from '../task/document-form.ts'
import type { InputLink } from './input-links.ts'

/** The names of the states of buttons that are on, and their values if the names cannot say them (`Opt`). */
export function statesOf(values: readonly string[]): { names: string[]; options?: string[] } {
  // Other characters of names are written in different ways by different programs (ISO 32000-2, 7.3.5).
  const isPlain = values.every((value) => /^[A-Za-z0-9_-]{1,100}$/.test(value) && value !== 'Off')
  if (isPlain && new Set(values).size === values.length) return { names: [...values] }
  return { names: values.map((_, index) => `${index}`), options: [...values] }
}

/** The mark of a button that is on. The box around it is content of the page. */
export function stateAppearances(
  context: PDFContext,
  { type, color }: FormInput,
  { rect: [left, bottom, right, top] }: InputLink,
  state: string,
): PDFDict {
  const [width, height] = [right - left, top - bottom]
  const size = Math.min(width, height)
  const at = (x: number, y: number) =>
    `${short((width - size) / 2 + x * size)} ${short((height - size) / 2 + y * size)}`
  const paint = color.map((part) => short(part / 255)).join(' ')
  const tick = `${paint} RG ${short(size * 0.12)} w 1 J 1 j ${at(0.22, 0.52)} m ${at(0.42, 0.3)} l ${at(0.78, 0.74)} l S`
  const draw = (content: string) => {
    const box = [0, 0, Number(short(width)), Number(short(height))]
    return context.register(context.stream(content, { Type: 'XObject', Subtype: 'Form', BBox: box, Resources: {} }))
  }
  const on = draw(`q ${type === 'radio' ? `${paint} rg ${dot(at)} f` : tick} Q`)
  return context.obj({ N: { [state]: on, Off: draw('') } })
}

/** A circle of four curves. */
function dot(at: (x: number, y: number) => string): string {
  const [radius, bend] = [0.25, 0.25 * 0.5523]
  const curve = (...points: [number, number][]) => `${points.map(([x, y]) => at(0.5 + x, 0.5 + y)).join(' ')} c`
  return [
    `${at(0.5 + radius, 0.5)} m`,
    curve([radius, bend], [bend, radius], [0, radius]),
    curve([-bend, radius], [-radius, bend], [-radius, 0]),
    curve([-radius, -bend], [-bend, -radius], [0, -radius]),
    curve([bend, -radius], [radius, -bend], [radius, 0]),
  ].join(' ')
}

/** A number as content streams have it, which know no exponents. */
export const short = (value: number): string => `${Number(value.toFixed(3))}`
