import Handlebars from 'handlebars'

export interface Drawing {
  /** SVG elements. */
  path: string
  /** Width and height in the units of the elements. */
  box: readonly [width: number, height: number]
  mm: readonly [width: number, height: number]
  /** A class for the style sheets of the document. */
  kind: string
  /** Text for screen readers. */
  label: string
}

const maxLabelChars = 200

/** A drawing in black, as an element of the document. */
export function svgOf({ path, box, mm, kind, label }: Drawing): Handlebars.SafeString {
  const [width, height] = mm.map((side) => `${round(side)}mm`)
  const name = Handlebars.escapeExpression(label.slice(0, maxLabelChars).toWellFormed())
  const attributes = `class="${kind}" role="img" aria-label="${name}" width="${width}" height="${height}"`
  const viewBox = box.map(round).join(' ')
  return new Handlebars.SafeString(
    `<svg xmlns="http://www.w3.org/2000/svg" ${attributes} viewBox="0 0 ${viewBox}">${path}</svg>`,
  )
}

const round = (value: number) => Math.round(value * 1_000) / 1_000
