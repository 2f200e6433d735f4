import { styleText } from 'node:util'

type Style = 'red' | 'yellow' | 'green' | 'bold' | 'dim'
/** A text, or one with its style. */
export type Cell = string | readonly [text: string, style: Style]

const textOf = (cell: Cell) => (typeof cell === 'string' ? cell : cell[0])

/** Lines with columns of equal width. The last cell of a row is not padded and does not count. */
export function alignCells(rows: readonly (readonly Cell[])[], hasColours: boolean): string[] {
  const paint = (cell: Cell) =>
    typeof cell === 'string' || !hasColours ? textOf(cell) : styleText(cell[1], cell[0], { validateStream: false })
  const widths: number[] = []
  for (const row of rows) {
    for (const [at, cell] of row.slice(0, -1).entries()) widths[at] = Math.max(widths[at] ?? 0, textOf(cell).length)
  }
  return rows.map((row) =>
    row
      .map((cell, at) => paint(cell) + ' '.repeat(at === row.length - 1 ? 0 : (widths[at] ?? 0) - textOf(cell).length))
      .join('  ')
      .trimEnd(),
  )
}
