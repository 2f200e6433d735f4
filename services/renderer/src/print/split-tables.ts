import type { BrowserPage } from '../chromium/pool/browser-page.ts'
import { type TableSizes, tableSizes } from '../inspect/document-traits.ts'
import { runInPage } from '../page/run-in-page.ts'
import { domFunctions } from './dom-functions.ts'
import { tableFunctions } from './table-functions.ts'

/** On each part of a split table. */
const partMark = 'data-platen-part'

/**
 * Splits tables with more than `mostRows` rows into parts that print like one table: with the column widths of the
 * whole table, in its place, and without a second head between them. A part is a table in a box that hides its head; on
 * the pages after its first, Chromium repeats the head at the top of the box, where it is visible. A table stays whole
 * if its parts could look different: in a flex or multi-column layout, in another table, with a repeated footer, with
 * headings in its head, or with rows that break pages. Rules such as `body > table` or `tr:nth-child(5n)` cannot be
 * checked beforehand: sizes and styles are compared, and a table that differs is put together again.
 */
const split = ({ mostRows, rowsOfPart }: TableSizes) => `(() => {
  ${domFunctions}
  ${tableFunctions}
  const sliver = 2 / 64
  const hiddenRows = (count) => {
    const rows = dom.createDocumentFragment()
    for (let i = 0; i < count; i++) {
      const row = dom.createElement('tr')
      row.style.setProperty('display', 'none', 'important')
      rows.append(row)
    }
    return rows
  }
  const isBlock = (element) => {
    const style = getComputedStyle(element)
    return /^(block|flow-root|list-item)$/.test(style.display) && style.float === 'none' && style.columnCount === 'auto' &&
      style.columnWidth === 'auto' && /^(static|relative)$/.test(style.position) && style.transform === 'none' &&
      style.writingMode === 'horizontal-tb' && style.overflowY === 'visible'
  }
  /** Breaks pages, or names another one. */
  const breaks = ({ breakBefore, breakAfter, page }) => breakBefore !== 'auto' || breakAfter !== 'auto' || (page ?? 'auto') !== 'auto'
  const inBlocks = (table) => {
    for (let element = table.parentElement; element; element = get(element, 'parentElement')) if (!isBlock(element)) return false
    return true
  }
  /** The number of columns, and a row that has a cell in each. */
  const gridOf = (sections) => {
    let columns = 0
    let full
    for (const section of sections) {
      let above = []
      for (const row of section.rows) {
        const isFree = above.every((left) => !(left > 0))
        const next = above.map((left) => left - 1)
        let at = 0
        for (const { colSpan, rowSpan } of row.cells) {
          while (above[at] > 0) at++
          for (let i = 0; i < colSpan; i++, at++) next[at] = rowSpan === 0 ? Infinity : rowSpan - 1
        }
        for (let i = 0; i < next.length; i++) next[i] ??= 0
        above = next
        if (next.length > columns) [columns, full] = [next.length, undefined]
        if (!full && isFree && row.cells.length === columns && getComputedStyle(row).display === 'table-row') full = row
      }
    }
    return { columns, full }
  }
  const compared = ['color', 'backgroundColor', 'backgroundImage', 'fontFamily', 'fontSize', 'fontWeight', 'fontStyle', 'lineHeight', 'textAlign',
    'verticalAlign', 'textTransform', 'textDecorationLine', 'letterSpacing', 'whiteSpace', 'display', 'visibility', 'opacity', 'boxShadow',
    ...['Top', 'Right', 'Bottom', 'Left'].flatMap((side) => ['padding' + side, 'border' + side + 'Width', 'border' + side + 'Style', 'border' + side + 'Color'])]
  const lookOf = (element) => {
    const style = getComputedStyle(element)
    return compared.map((name) => style[name]).join('|')
  }
  const looksOf = (elements) => elements.map((element) => lookOf(element) + (element.localName === 'tr' ? lookOf(element.parentElement) : '')).join()
  /** A part is put beside a float only if it begins there. */
  const isBesideFloat = (table) => {
    const { top, bottom } = table.getBoundingClientRect()
    return [...dom.querySelectorAll('body :not(table, table *)')].some((element) => {
      if (getComputedStyle(element).float === 'none') return false
      const rect = call(element, 'getBoundingClientRect')
      return rect.bottom > top + 1 && rect.top < bottom - 1
    })
  }
  /** Elements to compare: those beside the seams, and some rows of the second part. */
  const samplesOf = (table, rows, cuts) => {
    const end = cuts[1] ?? rows.length
    const some = rows.slice(cuts[0], end).filter((_, index) => index < 30 || index % 13 === 0)
    const chosen = new Set([...cuts.flatMap((at) => [rows[at - 1], rows[at]]), ...some])
    const around = [table.previousElementSibling, table.nextElementSibling, table.tHead].filter(Boolean)
    return [...around, ...[...chosen].flatMap((row) => [row, ...[...row.cells].slice(0, 8)])]
  }
  const heightsOf = (rows, cuts) => [0, ...cuts].map((at, number) => {
    const last = rows[(cuts[number] ?? rows.length) - 1]
    return last.getBoundingClientRect().bottom - rows[at].getBoundingClientRect().top
  })

  /** Returns what puts a table together again. */
  function restoring(table, bodies) {
    const style = table.getAttribute('style')
    const contents = [table, ...bodies].map((element) => [element, [...element.childNodes]])
    return (boxes) => {
      for (const box of boxes) box.remove()
      for (const [element, nodes] of contents) element.replaceChildren(...nodes)
      if (style === null) table.removeAttribute('style')
      else table.setAttribute('style', style)
    }
  }

  function plan(table) {
    const style = getComputedStyle(table)
    if (table.rows.length <= ${mostRows} || style.display !== 'table' || style.float !== 'none' || style.position !== 'static') return
    if (isDrawnWhole(table, style)) return
    if (table.tFoot || table.caption && getComputedStyle(table.caption).captionSide !== 'top' || !inBlocks(table) || isBesideFloat(table)) return
    const head = table.tHead && getComputedStyle(table.tHead).display === 'table-header-group' ? table.tHead : undefined
    if (table.tHead && (!head || table.tHead.querySelector('h1,h2,h3,h4,h5,h6,[data-platen-number]'))) return
    if (![...table.querySelectorAll(':scope > colgroup, :scope > colgroup > col')].every(isPlainColumn)) return
    const bodies = [...table.tBodies]
    const kept = new Set()
    for (const body of bodies) {
      const of = getComputedStyle(body)
      if (of.display !== 'table-row-group' || of.counterReset !== 'none' || breaks(of) || hasContent(body)) return
      if (of.breakInside !== 'auto') kept.add(body)
    }
    const rows = bodies.flatMap((body) => [...body.rows])
    const { columns, full } = gridOf(head ? [head, ...bodies] : bodies)
    const described = [...table.querySelectorAll(':scope > colgroup')].flatMap((group) => [...group.children])
    if (!full || described.reduce((sum, { span }) => sum + (span ?? 0), 0) > columns) return
    const cuts = []
    let covered = 0
    for (const [index, row] of rows.entries()) {
      const of = getComputedStyle(row)
      if (breaks(of) || !/^(table-row|none)$/.test(of.display) || of.visibility === 'collapse') return
      for (const { rowSpan } of row.cells) covered = Math.max(covered, index + (rowSpan === 0 ? rows.length : rowSpan))
      const count = index + 1 - (cuts.at(-1) ?? 0)
      const next = rows[index + 1]
      if (count < ${rowsOfPart} || count % 12 !== 0 || covered > index + 1 || !next) continue
      if (next.parentElement === row.parentElement && kept.has(row.parentElement)) continue
      if (of.display !== 'none' && getComputedStyle(next).display !== 'none') cuts.push(index + 1)
    }
    if (cuts.length === 0) return
    const widths = [...full.cells].map((cell) => cell.getBoundingClientRect().width)
    const { width } = table.getBoundingClientRect()
    const gaps = cuts.map((at) => rows[at].getBoundingClientRect().top - rows[at - 1].getBoundingClientRect().bottom)
    const fills = Math.abs(width - availableWidth(table)) < 1
    const samples = samplesOf(table, rows, cuts)
    const before = { samples, looks: looksOf(samples), heights: heightsOf(rows, cuts), restore: restoring(table, bodies) }
    const specified = table.computedStyleMap().get('width')
    const used = specified.unit === 'percent' ? String(specified) : width + 'px'
    return { table, style, head, rows, cuts, widths, gaps, before, width: fills ? '100%' : used }
  }

  function cut({ table, style, head, rows, cuts, widths, width }) {
    const sum = widths.reduce((all, one) => all + one, 0)
    const columns = dom.createElement('colgroup')
    for (const one of widths) {
      const column = dom.createElement('col')
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
      call(element, 'removeAttribute', 'id')
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
      set(part, { 'break-before': 'auto', 'break-after': 'auto', 'break-inside': 'auto' })
      set(part, { 'counter-increment': 'none', 'counter-set': 'none', ...(counts && { 'counter-reset': 'none' }) })
      set(part, { 'margin-top': '0', ...(!shown && { 'border-top-width': '0', 'padding-top': '0' }) })
      const box = dom.createElement('div')
      set(box, {
        display: 'flow-root', margin: '0', padding: '0', border: '0', width: 'auto', height: 'auto', float: 'none', position: 'static',
        background: 'none', page: style.page ?? 'auto', 'break-before': 'avoid', 'overflow-x': 'visible', 'overflow-y': 'clip',
      })
      // If the part begins at the top of a page, the break is after this, and drops the margin that hides the head. It has a place
      // on the page before even if the rows there leave none: two of the 64 units that Chromium divides a pixel into.
      const before = dom.createElement('div')
      set(before, { display: 'flow-root', height: sliver + 'px', margin: '0', padding: '0', border: '0' })
      box.append(before, part)
      boxes.push(box)
    }
    // Inside of the box it would not collapse with the margin of what follows.
    const last = boxes.at(-1)
    set(last, { 'margin-bottom': style.marginBottom, 'break-after': style.breakAfter })
    set(last.lastChild, { 'margin-bottom': '0' })
    set(table, { 'break-after': 'auto' })
    table.after(...boxes)
    for (const body of [...table.tBodies]) if (body.rows.length === 0) body.remove()
    for (const part of [table, ...boxes.slice(0, -1).map((box) => box.lastChild)]) {
      set(part, { 'margin-bottom': '0', 'border-bottom-width': '0', 'padding-bottom': '0' })
    }
    return boxes
  }

  const planned = [...dom.querySelectorAll('table')].map(plan).filter(Boolean)
  const cutAll = planned.map(cut)
  const isSame = ({ rows, cuts, before }) => looksOf(before.samples) === before.looks &&
    heightsOf(rows, cuts).every((height, number) => Math.abs(height - before.heights[number]) < 1.5)
  const same = planned.map(isSame)
  for (const [index, { before }] of planned.entries()) if (!same[index]) before.restore(cutAll[index])
  const plans = planned.filter((_, index) => same[index])
  const all = cutAll.filter((_, index) => same[index])
  for (const part of [...plans.map(({ table }) => table), ...all.flat()]) part.setAttribute('${partMark}', '')
  // The parts are measured together, and moved together: each measurement after a change lays the whole document out.
  const moves = plans.map(({ rows, cuts, gaps, head }, index) => cuts.map((at, number) => {
    const { top } = rows[at].getBoundingClientRect()
    const below = top - rows[at - 1].getBoundingClientRect().bottom - gaps[number]
    const box = all[index][number]
    const border = parseFloat(getComputedStyle(rows[at].cells[0] ?? rows[at]).borderTopWidth) || 0
    const hidden = head ? top - box.getBoundingClientRect().top - border / 2 - sliver : 0
    return { box, hidden, below }
  }))
  for (const { box, hidden, below } of moves.flat()) {
    set(box, { 'margin-top': hidden - below + 'px' })
    set(box.lastChild, { 'margin-top': -hidden + 'px' })
  }
  return plans.length
})()`

/** Resolves with the number of tables that are split now. */
export async function splitTables(page: BrowserPage, sizes = tableSizes): Promise<number> {
  const { session, isolatedWorldId: contextId } = page
  const { result } = await session.send('Runtime.evaluate', {
    expression: split(sizes),
    contextId,
    returnByValue: true,
  })
  return typeof result.value === 'number' ? result.value : 0
}

const hide = `(() => {
  ${domFunctions}
  const style = dom.createElement('style')
  style.textContent = '@media (height: 1px) { [${partMark}] { display: none !important } }'
  dom.documentElement.append(style)
})()`

/**
 * Hides split tables in the window, but not on pages: their window layout takes memory of the document while it is
 * printed, and Chromium lays out the window again after each print. Nothing may measure the tables in the window
 * afterwards.
 */
export async function hideSplitTables(page: BrowserPage): Promise<void> {
  const { session, isolatedWorldId: contextId } = page
  await session.send('Runtime.evaluate', { expression: hide, contextId })
  page.resize({ ...page.window, height: 1 })
  await runInPage(page, 'layOut')
  await session.send('HeapProfiler.collectGarbage')
}
