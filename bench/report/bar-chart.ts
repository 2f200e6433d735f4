import { escaped, svg, textColours } from './svg.ts'

export interface Bar {
  label: string
  value: number
  /** Drawn in the highlight colour. */
  ours: boolean
}

export interface BarGroup {
  title: string
  bars: readonly Bar[]
}

const width = 800
const labelWidth = 340
const barHeight = 16
const rowHeight = 21
const titleHeight = 38
const palette = { ours: '#0e7490', others: '#94a3b8', ...textColours }

/** An SVG of bars in groups, each group with its own scale. */
export function barChart(title: string, subtitle: string, groups: readonly BarGroup[], unit: string): string {
  let y = 64
  const drawn = groups.map((group) => {
    const longest = Math.max(...group.bars.map(({ value }) => value))
    const parts = [text(16, y + 20, group.title, { bold: true })]
    y += titleHeight - 8
    for (const { label, value, ours } of group.bars) {
      const length = Math.max(1, (value / longest) * (width - labelWidth - 90))
      const colour = ours ? palette.ours : palette.others
      parts.push(
        text(labelWidth - 8, y + 12, label, { end: true, bold: ours }),
        `<rect x="${labelWidth}" y="${y}" width="${length.toFixed(1)}" height="${barHeight}" rx="2" fill="${colour}"/>`,
        text(labelWidth + length + 6, y + 12, value.toFixed(value < 10 ? 1 : 0), { bold: ours }),
      )
      y += rowHeight
    }
    y += 10
    return parts.join('\n')
  })
  const head = [text(16, 28, title, { bold: true, size: 17 }), text(16, 48, `${unit} · ${subtitle}`, { quiet: true })]
  return svg(width, y, [...head, ...drawn])
}

interface TextStyle {
  bold?: boolean
  end?: boolean
  quiet?: boolean
  size?: number
}

function text(x: number, y: number, content: string, { bold, end, quiet, size = 12 }: TextStyle): string {
  const attributes = [
    `x="${x.toFixed(1)}" y="${y}" font-size="${size}" fill="${quiet ? palette.quiet : palette.text}"`,
    ...(bold ? ['font-weight="600"'] : []),
    ...(end ? ['text-anchor="end"'] : []),
  ]
  return `<text ${attributes.join(' ')}>${escaped(content)}</text>`
}
