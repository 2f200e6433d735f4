import { call, dom, get, set } from './dom.ts'

/** Drawn around or behind the whole table, or by a size that its rows share. */
export function isDrawnWhole(table: HTMLTableElement, style: CSSStyleDeclaration): boolean {
  const specified = table.computedStyleMap()
  return (
    style.backgroundImage !== 'none' ||
    style.boxShadow !== 'none' ||
    style.outlineStyle !== 'none' ||
    style.transform !== 'none' ||
    style.filter !== 'none' ||
    style.clipPath !== 'none' ||
    style.maskImage !== 'none' ||
    Number.parseFloat(style.borderTopLeftRadius) > 0 ||
    style.writingMode !== 'horizontal-tb' ||
    (table.currentCSSZoom ?? 1) !== 1 ||
    String(specified.get('height')) !== 'auto' ||
    !/^(auto|0px|0%)$/.test(String(specified.get('min-height'))) ||
    hasContent(table)
  )
}

export const hasContent = (element: Element) =>
  ['::before', '::after'].some((pseudo) => !/^(none|normal)$/.test(getComputedStyle(element, pseudo).content))

/** Whether columns are not drawn, so that others can replace them. */
export function hasPlainColumns(table: HTMLTableElement): boolean {
  return [...table.querySelectorAll(':scope > colgroup, :scope > colgroup > col')].every((column) => {
    const style = getComputedStyle(column)
    const borders = [style.borderTopStyle, style.borderRightStyle, style.borderBottomStyle, style.borderLeftStyle]
    return (
      style.backgroundColor === 'rgba(0, 0, 0, 0)' &&
      style.backgroundImage === 'none' &&
      style.visibility !== 'collapse' &&
      borders.every((border) => border === 'none')
    )
  })
}

/** The content width of the parent. clientWidth of the body is that of the window in a document without a doctype. */
export function availableWidth({ parentElement: parent }: HTMLTableElement): number {
  if (!parent) return 0
  const { paddingLeft, paddingRight, borderLeftWidth, borderRightWidth } = getComputedStyle(parent)
  const { width } = call(parent, 'getBoundingClientRect')
  return [paddingLeft, paddingRight, borderLeftWidth, borderRightWidth].reduce(
    (left, edge) => left - Number.parseFloat(edge),
    width,
  )
}

/** The width to set on a table whose columns are fixed. */
export function fixedWidth(table: HTMLTableElement, fills: boolean): string {
  const specified = table.computedStyleMap().get('width')
  if (fills) return '100%'
  return isPercentage(specified) ? String(specified) : `${table.getBoundingClientRect().width}px`
}

export const isPercentage = (value: CSSStyleValue | undefined) =>
  value instanceof CSSUnitValue && value.unit === 'percent'

export function columnGroup(widths: readonly string[]): HTMLElement {
  const columns = dom.createElement('colgroup')
  for (const width of widths) set(columns.appendChild(dom.createElement('col')), { width })
  return columns
}

/** Gives a table a width, and these columns instead of its own, whatever its rows have. */
export function fixColumns(table: HTMLTableElement, width: string, columns: HTMLElement | undefined): void {
  if (columns) {
    for (const group of table.querySelectorAll(':scope > colgroup')) group.remove()
    if (table.caption) table.caption.after(columns)
    else table.prepend(columns)
  }
  set(table, { 'table-layout': 'fixed', width, 'min-width': '0', 'max-width': 'none' })
}

/** Whether all elements around a table are blocks, one below the other. */
export function isInBlocks(table: HTMLTableElement, isPlain: typeof isPlainBlock = isPlainBlock): boolean {
  for (let element = table.parentElement; element; element = get(element, 'parentElement')) {
    if (!isPlain(element, getComputedStyle(element))) return false
  }
  return true
}

/** A block in the flow without columns, whose content is neither turned nor clipped. */
export const isPlainBlock = (_: HTMLElement, style: CSSStyleDeclaration) =>
  /^(block|flow-root|list-item)$/.test(style.display) &&
  style.float === 'none' &&
  style.columnCount === 'auto' &&
  style.columnWidth === 'auto' &&
  /^(static|relative)$/.test(style.position) &&
  style.transform === 'none' &&
  style.writingMode === 'horizontal-tb' &&
  style.overflowY === 'visible'

interface GridRow {
  row: HTMLTableRowElement
  /** The columns that it and the rows above it have. */
  columns: number
  /** No cell of a row above reaches into it. */
  isFree: boolean
}

/** The rows of a section with the columns of their cells (HTML, 4.9.12). */
export function* gridOf(rows: Iterable<HTMLTableRowElement>): Generator<GridRow> {
  // For each column, into how many more rows its cell reaches.
  let above: number[] = []
  for (const row of rows) {
    const isFree = above.every((left) => left <= 0)
    const next = above.map((left) => left - 1)
    let column = 0
    for (const { colSpan, rowSpan } of row.cells) {
      while ((above[column] ?? 0) > 0) column++
      for (let i = 0; i < colSpan; i++, column++) next[column] = rowSpan === 0 ? Number.POSITIVE_INFINITY : rowSpan - 1
    }
    above = Array.from(next, (left) => left ?? 0)
    yield { row, columns: above.length, isFree }
  }
}

/** The index of the last row that a cell of the row reaches into, and 1 more. */
export const endOfCells = (row: HTMLTableRowElement, index: number, rows: number) =>
  [...row.cells].reduce((end, { rowSpan }) => Math.max(end, index + (rowSpan === 0 ? rows : rowSpan)), 0)
