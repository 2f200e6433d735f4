import { PDFArray, PDFDict } from '@cantoo/pdf-lib'
import { at, numberAt } from './pdf-objects.ts'
import { isElement, type StructureElement } from './structure-tree.ts'
import type { Violations } from './violation.ts'

/** Rows of a table have the same number of columns, spans counted (ISO 14289-1, 7.2). */
export function checkTable(table: StructureElement, found: Violations, place: string): void {
  const rows = rowsOf(table)
  const widths: number[] = []
  /** Of each column, for how many more rows a cell above fills it. */
  let filled: number[] = []
  for (const row of rows) {
    const next = filled.map((rest) => Math.max(0, rest - 1))
    let column = 0
    for (const cell of row.children.filter(isElement)) {
      while ((filled[column] ?? 0) > 0) column += 1
      const columns = Math.min(spanOf(cell, 'ColSpan'), 1_000)
      for (let index = column; index < column + columns; index++) next[index] = spanOf(cell, 'RowSpan') - 1
      column += columns
    }
    widths.push(Math.max(column, filled.findLastIndex((rest) => rest > 0) + 1))
    filled = next
  }
  if (new Set(widths).size > 1) {
    found.add('7.2', 43, `${place}: the rows of a table have different numbers of columns. Add cells, or set colspan`)
  }
  if (filled.some((rest) => rest > 0)) {
    found.add('7.2', 42, `${place}: a cell of a table spans more rows than the table has. Correct its rowspan`)
  }
}

function rowsOf(table: StructureElement): StructureElement[] {
  return table.children.filter(isElement).flatMap((child) => {
    if (child.role === 'TR') return [child]
    return ['THead', 'TBody', 'TFoot'].includes(child.role) ? rowsOf(child) : []
  })
}

/** An attribute of the owner `Table` (ISO 32000-1, table 349). */
function spanOf(cell: StructureElement, key: 'ColSpan' | 'RowSpan'): number {
  const attributes = at(cell.dict, 'A')
  const all =
    attributes instanceof PDFArray ? attributes.asArray().map((_, index) => attributes.lookup(index)) : [attributes]
  for (const each of all) {
    const span = each instanceof PDFDict ? numberAt(each, key) : undefined
    if (span !== undefined) return Math.max(1, span)
  }
  return 1
}
