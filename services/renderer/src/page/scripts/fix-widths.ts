import type { PageScripts } from '../contract.ts'
import { dom, keepAttribute, set } from '../dom/dom.ts'
import { slices, type TakenRow } from '../dom/slices.ts'
import { availableWidth, columnGroup, fixColumns, fixedWidth, gridOf, isPercentage } from '../dom/tables.ts'

/** Rows that are measured together, and then a tenth of them. */
const measuredRows = 500
const measuredAgain = 50

/** Only the rows that decide are laid out together: those with the widest words and the widest lines of a column. */
export const fixWidths: PageScripts['fixWidths'] = () => {
  const { tables, rows } = slices.get()
  const rowsOf = (index: number) => rows.filter(({ table }) => table === index)
  return tables.every((table, index) => fix(table, rowsOf(index)))
}

function fix(table: HTMLTableElement, rows: readonly TakenRow[]): boolean {
  const probe = probeOf(columnsOf(table, rows))
  const show = (some: readonly TakenRow[]) => {
    for (const body of table.tBodies) body.replaceChildren()
    for (const { row, body } of some) body.append(row)
    table.tBodies[0]?.append(probe)
  }
  const widthsOf = () => [...probe.cells].map((cell) => cell.getBoundingClientRect().width)
  const widest = (list: readonly TakenRow[], sizes: readonly number[]): readonly TakenRow[] => {
    const [size, ...smaller] = sizes
    return size === undefined ? list : widest(widestChunks(list, size, { show, widthsOf }), smaller)
  }
  const chooseWidest = () => widest(rows, [measuredRows, measuredAgain])

  let deciding = rows.slice(0, measuredRows)
  if (getComputedStyle(table).tableLayout === 'auto') {
    const restore = keepAttribute(table, 'style')
    const outer = String(table.computedStyleMap().get('width'))
    const available = availableWidth(table)
    set(table, { width: 'max-content', 'max-width': 'none', 'min-width': '0' })
    const withLines = chooseWidest()
    show(withLines)
    const fits = table.getBoundingClientRect().width <= available && /^(auto|[0-9.]+%)$/.test(outer)
    set(table, { width: 'min-content' })
    deciding = [...new Set(fits ? withLines : [...withLines, ...chooseWidest()])]
    restore()
  }
  deciding.sort((some, other) => some.at - other.at)
  show(deciding)
  const heights = heightsOf(deciding)
  setColumns(table, widthsOf())
  const isSame = heightsOf(deciding).every((height, index) => Math.abs(height - (heights[index] ?? 0)) < 0.1)
  probe.remove()
  for (const body of table.tBodies) body.replaceChildren()
  return isSame
}

const heightsOf = (rows: readonly TakenRow[]) => rows.map(({ row }) => row.getBoundingClientRect().height)

/** A row whose cells have the widths of the columns. */
function probeOf(columns: number): HTMLTableRowElement {
  const probe = dom.createElement('tr')
  for (let i = 0; i < columns; i++) {
    const cell = dom.createElement('td')
    set(cell, {
      display: 'table-cell',
      padding: '0',
      border: '0',
      width: 'auto',
      'min-width': '0',
      'max-width': 'none',
      visibility: 'visible',
    })
    probe.append(cell)
  }
  set(probe, { display: 'table-row', visibility: 'visible' })
  return probe
}

function columnsOf({ tHead, tFoot }: HTMLTableElement, rows: readonly TakenRow[]): number {
  let most = 0
  for (const section of [tHead?.rows ?? [], rows.map(({ row }) => row), tFoot?.rows ?? []]) {
    for (const { columns } of gridOf(section)) most = Math.max(most, columns)
  }
  return most
}

/** The rows of the chunk in which a column is widest, for each column. */
function widestChunks(
  rows: readonly TakenRow[],
  size: number,
  { show, widthsOf }: { show(rows: readonly TakenRow[]): void; widthsOf(): number[] },
): TakenRow[] {
  const most: { width: number; chunk: readonly TakenRow[] }[] = []
  for (let from = 0; from < rows.length; from += size) {
    const chunk = rows.slice(from, from + size)
    show(chunk)
    for (const [column, width] of widthsOf().entries()) {
      if (!(width <= (most[column]?.width ?? 0))) most[column] = { width, chunk }
    }
  }
  return [...new Set(most.map(({ chunk }) => chunk))].flat()
}

/** Replaces the columns with ones that have these widths. */
function setColumns(table: HTMLTableElement, widths: readonly number[]): void {
  const fills = Math.abs(table.getBoundingClientRect().width - availableWidth(table)) < 1
  const isRelative = fills || isPercentage(table.computedStyleMap().get('width'))
  const sum = widths.reduce((all, one) => all + one, 0)
  const width = fixedWidth(table, fills)
  const columns = columnGroup(widths.map((one) => (isRelative ? `${(one / sum) * 100}%` : `${one}px`)))
  const groups = [...table.querySelectorAll(':scope > colgroup')]
  const [group] = groups
  // A style sheet may know the only one.
  if (group && groups.length === 1) group.replaceChildren(...columns.children)
  fixColumns(table, width, groups.length === 1 ? undefined : columns)
}
