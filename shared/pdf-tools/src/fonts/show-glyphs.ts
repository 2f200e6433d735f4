import { number } from '../pdf/matrix.ts'

/** A glyph and where it is, in units of the font. */
export interface PlacedGlyph {
  /** Its code of two bytes. */
  code: number
  /** What the font says of its width. */
  width: number
  /** To the next glyph: its width, but for kerning and marks. */
  advance: number
  /** Right of and above its place in the line. */
  x: number
  y: number
}

/** The operators `TJ` and `Ts` that show glyphs from left to right (ISO 32000-2, 9.4.3). */
export function showGlyphs(glyphs: readonly PlacedGlyph[], { perEm, size }: { perEm: number; size: number }): string {
  const shown: string[] = []
  let rise = 0
  let items: string[] = []
  /** To the right, in units of the font. */
  let move = 0
  const flush = () => {
    if (items.length > 0) shown.push(`[${items.join(' ')}] TJ`)
    items = []
  }
  for (const { code, width, advance, x, y } of glyphs) {
    if (y !== rise) {
      flush()
      shown.push(`${number((y / perEm) * size)} Ts`)
      rise = y
    }
    move += x
    if (move !== 0) items.push(number((-move * 1_000) / perEm))
    items.push(`<${code.toString(16).padStart(4, '0')}>`)
    move = advance - x - width
  }
  flush()
  if (rise !== 0) shown.push('0 Ts')
  return shown.join(' ')
}
