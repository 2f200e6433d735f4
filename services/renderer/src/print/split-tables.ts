import type { BrowserPage } from '../chromium/pool/browser-page.ts'
import { mostRows } from '../inspect/document-traits.ts'

/** Of a part. A multiple of the periods of `:nth-child()` that are in use (2, 3, 4, 6). */
const rowsOfPart = 600

/**
 * Splits tables with more than `mostRows` rows into parts that are printed as one: with the widths of the columns that the whole table has, at the place where
 * the rows were, and without a second head between them. A part is a table in a box that hides its head; on the pages after its
 * first, Chromium repeats the head at the top of the box, where it shows.
 *
 * A table stays whole if the parts could look different: in a flex or multi-column layout, in another table, with a footer that
 * is repeated, with headings in its head, or with rows that break pages.
 */
const split = `(() => {
  const hiddenRows = (count) => {
    const rows = document.createDocumentFragment()
    for (let i = 0; i < count; i++) {
      const row = document.createElement('tr')
      row.style.setProperty('display', 'none', 'important')
      rows.append(row)
    }
    return rows
  }
  const set = (element, styles) => {
    for (const [name, value] of Object.entries(styles)) element.style.setProperty(name, value, 'important')
  }
  const isBlock = (element) => {
    const style = getComputedStyle(element)
    return /^(block|flow-root|list-item)$/.test(style.display) && style.float === 'none' && style.columnCount === 'auto' &&
      style.columnWidth === 'auto' && /^(static|relative)$/.test(style.position) && style.transform === 'none' &&
      style.writingMode === 'horizontal-tb' && style.overflowY === 'visible'
  }
  const inBlocks = (table) => {
    for (let element = table.parentElement; element; element = element.parentElement) if (!isBlock(element)) return false
    return true
  }
  const columnsOf = (row) => [...row.cells].reduce((sum, cell) => sum + cell.colSpan, 0)
  const wholeWidth = (table) => {
    const style = getComputedStyle(table.parentElement)
    return table.parentElement.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight)
  }

  function plan(table) {
    const style = getComputedStyle(table)
    if (table.rows.length <= ${mostRows} || style.display !== 'table' || style.float !== 'none' || style.position !== 'static') return
    if (table.tFoot || table.caption && getComputedStyle(table.caption).captionSide !== 'top' || !inBlocks(table)) return
    const head = table.tHead && getComputedStyle(table.tHead).display === 'table-header-group' ? table.tHead : undefined
    if (table.tHead && (!head || table.tHead.querySelector('h1,h2,h3,h4,h5,h6,[data-platen-number]'))) return
    const bodies = [...table.tBodies]
    if (bodies.some((body) => getComputedStyle(body).display !== 'table-row-group' || getComputedStyle(body).counterReset !== 'none')) return
    const rows = bodies.flatMap((body) => [...body.rows])
    const first = [...table.rows].slice(0, 100)
    const columns = Math.max(...first.map(columnsOf))
    const full = first.find((row) => row.cells.length === columns && getComputedStyle(row).display === 'table-row')
    if (!full) return
    const cuts = []
    let covered = 0
    for (const [index, row] of rows.entries()) {
      const { breakBefore, breakAfter } = getComputedStyle(row)
      if (breakBefore !== 'auto' || breakAfter !== 'auto') return
      for (const { rowSpan } of row.cells) covered = Math.max(covered, index + (rowSpan === 0 ? rows.length : rowSpan))
      const count = index + 1 - (cuts.at(-1) ?? 0)
      if (count >= ${rowsOfPart} && count % 12 === 0 && covered <= index + 1 && index + 1 < rows.length) cuts.push(index + 1)
    }
    if (cuts.length === 0) return
    const widths = [...full.cells].map((cell) => cell.getBoundingClientRect().width)
    const { width } = table.getBoundingClientRect()
    const gaps = cuts.map((at) => rows[at].getBoundingClientRect().top - rows[at - 1].getBoundingClientRect().bottom)
    const fills = Math.abs(width - wholeWidth(table)) < 1
    return { table, style, head, rows, cuts, widths, gaps, width: fills ? '100%' : width + 'px' }
  }

  function cut({ table, style, head, rows, cuts, widths, width }) {
    const sum = widths.reduce((all, one) => all + one, 0)
    const columns = document.createElement('colgroup')
    for (const one of widths) {
      const column = document.createElement('col')
      set(column, { width: (one / sum) * 100 + '%' })
      columns.append(column)
    }
    const counts = style.counterReset !== 'none'
    for (const group of table.querySelectorAll(':scope > colgroup')) group.remove()
    if (table.caption) table.caption.after(columns)
    else table.prepend(columns)
    set(table, { 'table-layout': 'fixed', width, 'min-width': '0', 'max-width': 'none' })
    const shown = head?.cloneNode(true)
    for (const element of shown ? [shown, ...shown.querySelectorAll('*')] : []) {
      element.removeAttribute('id')
      set(element, { 'counter-increment': 'none', 'counter-reset': 'none', 'counter-set': 'none' })
    }
    const boxes = []
    for (const [number, at] of cuts.entries()) {
      const part = table.cloneNode(false)
      part.removeAttribute('id')
      part.append(columns.cloneNode(true))
      if (shown) part.append(shown.cloneNode(true))
      let from
      let body
      for (const row of rows.slice(at, cuts[number + 1])) {
        if (row.parentElement !== from) {
          from = row.parentElement
          body = from.cloneNode(false)
          // Neither the first row nor the last one of their group.
          if (row === rows[at]) {
            body.removeAttribute('id')
            body.append(hiddenRows(12))
            rows[at - 1].parentElement.append(hiddenRows(1))
          }
          part.append(body)
        }
        body.append(row)
      }
      if (counts) set(part, { 'counter-reset': 'none' })
      set(part, { 'margin-top': '0', ...(!shown && { 'border-top-width': '0', 'padding-top': '0' }) })
      const box = document.createElement('div')
      set(box, {
        display: 'flow-root', margin: '0', padding: '0', border: '0', width: 'auto', height: 'auto', float: 'none', position: 'static',
        background: 'none', 'break-before': 'avoid', 'overflow-x': 'visible', 'overflow-y': 'clip',
      })
      box.append(part)
      boxes.push(box)
    }
    table.after(...boxes)
    for (const body of [...table.tBodies]) if (body.rows.length === 0) body.remove()
    for (const part of [table, ...boxes.slice(0, -1).map((box) => box.firstChild)]) {
      set(part, { 'margin-bottom': '0', 'border-bottom-width': '0', 'padding-bottom': '0' })
    }
    return boxes
  }

  const plans = [...document.querySelectorAll('table')].map(plan).filter(Boolean)
  const all = plans.map(cut)
  // The parts are measured together, and moved together: each measurement after a change lays the whole document out.
  const moves = plans.map(({ rows, cuts, gaps, head }, index) => cuts.map((at, number) => {
    const { top } = rows[at].getBoundingClientRect()
    const below = top - rows[at - 1].getBoundingClientRect().bottom - gaps[number]
    const box = all[index][number]
    const border = parseFloat(getComputedStyle(rows[at].cells[0] ?? rows[at]).borderTopWidth) || 0
    const hidden = head ? top - box.getBoundingClientRect().top - border / 2 : 0
    return { box, hidden, below }
  }))
  for (const { box, hidden, below } of moves.flat()) {
    set(box, { 'margin-top': hidden - below + 'px' })
    set(box.firstChild, { 'margin-top': -hidden + 'px' })
  }
  return plans.length
})()`

/** Resolves with the number of tables that are split now. */
export async function splitTables({ session, isolatedWorldId: contextId }: BrowserPage): Promise<number> {
  const { result } = await session.send('Runtime.evaluate', { expression: split, contextId, returnByValue: true })
  const count = typeof result.value === 'number' ? result.value : 0
  // What the rows were laid out in before would count against the memory of the document while it is printed.
  if (count > 0) await session.send('HeapProfiler.collectGarbage')
  return count
}
