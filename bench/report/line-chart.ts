import { escaped, svg, textColours } from './svg.ts'

export interface Line {
  name: string
  colour: string
  dashed: boolean
  points: readonly (readonly [x: number, y: number])[]
}

const width = 720
const height = 400
const area = { left: 64, right: 24, top: 64, bottom: 104 }
const palette = { grid: '#e2e8f0', ...textColours }

/** An SVG of lines over whole numbers. */
export function lineChart(title: string, axes: { x: string; y: string }, lines: readonly Line[]): string {
  const points = lines.flatMap((line) => line.points)
  const xs = [...new Set(points.map(([x]) => x))].sort((one, other) => one - other)
  const [first = 0, last = 1] = [xs[0], xs.at(-1)]
  const step = niceStep(Math.max(1, ...points.map(([, y]) => y)))
  const top = step * Math.ceil(Math.max(1, ...points.map(([, y]) => y)) / step)
  const atX = (x: number) => area.left + ((x - first) / Math.max(1, last - first)) * (width - area.left - area.right)
  const atY = (y: number) => height - area.bottom - (y / top) * (height - area.top - area.bottom)
  const levels = Array.from({ length: Math.round(top / step) + 1 }, (_, index) => index * step)
  const grid = levels.map(
    (y) =>
      `<line x1="${area.left}" x2="${width - area.right}" y1="${atY(y).toFixed(1)}" y2="${atY(y).toFixed(1)}" stroke="${palette.grid}"/>` +
      text(area.left - 8, atY(y) + 4, String(y), 'end'),
  )
  const drawn = lines.map(({ colour, dashed, points }) => {
    const path = points.map(([x, y]) => `${atX(x).toFixed(1)},${atY(y).toFixed(1)}`).join(' ')
    const line = `<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="2"${dashed ? ' stroke-dasharray="6 5"' : ''}/>`
    const dots = points.map(
      ([x, y]) => `<circle cx="${atX(x).toFixed(1)}" cy="${atY(y).toFixed(1)}" r="3.5" fill="${colour}"/>`,
    )
    return dashed ? line : [line, ...dots].join('\n')
  })
  const legend = lines.map(({ name, colour, dashed }, index) => {
    const [x, y] = [area.left + (index % 2) * 320, height - 40 + Math.floor(index / 2) * 20]
    const sample = `<line x1="${x}" x2="${x + 28}" y1="${y - 4}" y2="${y - 4}" stroke="${colour}" stroke-width="2"${dashed ? ' stroke-dasharray="6 5"' : ''}/>`
    return sample + text(x + 36, y, name)
  })
  const marks = xs.map((x) => text(atX(x), height - area.bottom + 18, String(x), 'middle'))
  const head = [
    `<text x="16" y="28" font-size="17" font-weight="600" fill="${palette.text}">${escaped(title)}</text>`,
    `<text x="16" y="48" font-size="12" fill="${palette.quiet}">${escaped(axes.y)}</text>`,
  ]
  const below = text(width / 2, height - area.bottom + 38, axes.x, 'middle')
  return svg(width, height, [...head, ...grid, ...marks, below, ...drawn, ...legend])
}

/** 1, 2 or 5 times a power of ten, so that there are four to ten levels. */
function niceStep(most: number): number {
  const power = 10 ** Math.floor(Math.log10(most))
  const factor = [0.1, 0.2, 0.5, 1].find((one) => most / (one * power) <= 8) ?? 1
  return factor * power
}

function text(x: number, y: number, content: string, anchor = 'start'): string {
  return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" font-size="12" fill="${palette.text}" text-anchor="${anchor}">${escaped(content)}</text>`
}
