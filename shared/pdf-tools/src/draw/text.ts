import type { Stamp } from '@platen/domain/document/output-options.ts'
import type { DrawnFont } from '../fonts/drawn-font.ts'
import { number } from '../pdf/matrix.ts'
import { type Drawing, fillColour } from './stamp.ts'

const lineHeight = 1.2
/** The height of capitals of Helvetica as a multiple of its size. All fonts have their base line there, so that stamps keep their places. */
const ascent = 0.718

/** The lines of a text, each centred. */
export function textDrawing(text: string, { font_size: size = 48, color }: Stamp, font: DrawnFont): Drawing {
  const lines = text.split(/\r?\n/).map((line) => font.lineOf(line))
  const width = Math.max(1, ...lines.map((line) => line.width * size))
  const height = size * (1 + lineHeight * (lines.length - 1))
  return {
    width,
    height,
    operators(content) {
      const name = content.resource('Font', font.ref)
      const shown = lines.map((line, index) => {
        const [x, y] = [(width - line.width * size) / 2, height - index * size * lineHeight - ascent * size]
        return `1 0 0 1 ${number(x)} ${number(y)} Tm ${line.operators(size)}`
      })
      return `${fillColour(color)}\nBT\n${name} ${number(size)} Tf\n${shown.join('\n')}\nET`
    },
  }
}

/** Of each page by its number. To shape a text takes time and memory, so that one that all pages have is drawn once. */
export function textDrawings(text: string, pages: number, draw: (shown: string) => Drawing): (page: number) => Drawing {
  let last: { shown: string; drawing: Drawing } | undefined
  return (page) => {
    const shown = textOfPage(text, page, pages)
    if (last?.shown !== shown) last = { shown, drawing: draw(shown) }
    return last.drawing
  }
}

/** The text of a page. */
function textOfPage(text: string, page: number, pages: number): string {
  return text.replace(/\{\{\s*(page|pages)\s*\}\}/g, (_, word) => String(word === 'page' ? page : pages))
}
