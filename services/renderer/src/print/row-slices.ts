import { domFunctions } from './dom-functions.ts'
import { tableFunctions } from './table-functions.ts'

/** The functions that run in the page for printing in slices. They keep their state in the isolated world, as `platenSlices`. */

export const rowPrefix = 'platen-row-'

const hidingId = 'platen-hidden-rows'

/**
 * Hides the rows until it is known whether the document is printed in slices. Chromium would lay out all of them:
 * seconds, and a gigabyte for 100,000 rows.
 */
const hidingStyle = `<style id="${hidingId}">table tbody > tr, table > tr { display: none !important }</style>`

/** Comments may stand before it, and a document without it is in quirks mode. */
const doctype = /^\uFEFF?\s*(?:<!--[\s\S]*?-->\s*)*<!doctype[^>]*>/i

/** The HTML with rows that are not laid out. The parser puts the style into the head, wherever the tags of that are. */
export function withHiddenRows(html: string): string {
  const end = doctype.exec(html)?.[0].length ?? 0
  return html.slice(0, end) + hidingStyle + html.slice(end)
}

/** Functions for the elements around a table. */
const blockFunctions = `
  const isBlock = (element) => {
    const style = getComputedStyle(element)
    return /^(block|flow-root|list-item)$/.test(style.display) && style.float === 'none' && style.columnCount === 'auto' &&
      style.columnWidth === 'auto' && /^(static|relative)$/.test(style.position) &&
      ['transform', 'rotate', 'scale', 'translate', 'filter', 'clipPath', 'maskImage', 'borderImageSource'].every((name) => style[name] === 'none') &&
      style.writingMode === 'horizontal-tb' && style.overflowY === 'visible' && style.backgroundImage === 'none' && style.outlineStyle === 'none' &&
      style.boxShadow === 'none' && style.breakInside === 'auto' && (element === dom.documentElement || !(parseFloat(style.borderTopLeftRadius) > 0)) &&
      !/^(size|content|paint|strict|layout)/.test(style.contain) && isSizedByContent(element)
  }
  /**
   * In a printed document, a height in percent of the body is that of its content. Each slice is higher than a page.
   */
  const isSizedByContent = (element) => {
    const specified = element.computedStyleMap()
    const [height, most, least] = ['height', 'max-height', 'min-height'].map((name) => String(specified.get(name)))
    const isRoot = element === dom.body || element === dom.documentElement
    return (height === 'auto' || (isRoot && height.endsWith('%'))) && (isRoot || most === 'none') &&
      (/^(auto|[0-9.]+%)$/.test(least) || (/^[0-9.]+px$/.test(least) && parseFloat(least) <= innerHeight))
  }
`

/**
 * Takes the rows of tables with more than `mostRows` out of the document. Returns their number, or 0 if slices could look different from
 * the whole document, which must then be loaded again.
 */
export const takeRows = (mostRows: number) => `(() => {
  ${domFunctions}
  ${tableFunctions}
  ${blockFunctions}
  // Destinations of links are lost when pages are joined.
  if (dom.querySelector('a[href^="#"], area[href^="#"], form, input, select, textarea, button')) return 0
  const tables = [...dom.querySelectorAll('table')].filter(({ rows }) => rows.length > ${mostRows})
  if (tables.length === 0 || !tables.every(isTable) || !dom.body) return 0
  let mayPlace = dom.querySelector('table [style*="position" i]') !== null
  if (dependsOnAllRows()) return 0
  const rows = []
  for (const [index, table] of tables.entries()) {
    for (const body of table.tBodies) {
      let covered = 0
      const own = [...body.rows]
      for (const [at, row] of own.entries()) {
        rows.push({ at: rows.length, row, body, table: index, starts: covered <= at })
        for (const { rowSpan } of row.cells) covered = Math.max(covered, at + (rowSpan === 0 ? own.length : rowSpan))
      }
      body.replaceChildren()
    }
  }
  dom.getElementById('${hidingId}').remove()
  const inFlow = tables.every((table) => isWhole(table) && inBlocks(table))
  const others = [...dom.querySelectorAll('body *')]
  const [first] = tables
  const isMoved = (element) => getComputedStyle(element).position === 'absolute' && (follows(first, element) || isSizedByContainer(element))
  if (!inFlow || others.some((element) => isMoved(element) || hasCounter(element))) return 0
  const fixed = others.filter((element) => getComputedStyle(element).position === 'fixed')
  if (tables.some((table) => hasBeside(table, others.filter((element) => !fixed.includes(element))))) return 0
  globalThis.platenSlices = { tables, rows, fixed, mayPlace, hidden: [], from: 0, to: 0 }
  return rows.length

  function isTable(table) {
    return !table.parentElement.closest('table') && table.querySelector('table') === null && table.querySelector(':scope > tr') === null
  }
  function isWhole(table) {
    const style = getComputedStyle(table)
    return style.display === 'table' && style.float === 'none' && style.position === 'static' && style.breakInside === 'auto' &&
      !isDrawnWhole(table, style) && (!table.caption || getComputedStyle(table.caption).captionSide === 'top') &&
      (!table.tHead || getComputedStyle(table.tHead).display === 'table-header-group') &&
      (!table.tFoot || getComputedStyle(table.tFoot).display === 'table-footer-group') &&
      [...table.tBodies].every((body) => getComputedStyle(body).display === 'table-row-group') &&
      [...table.querySelectorAll(':scope > colgroup, :scope > colgroup > col')].every(isPlainColumn)
  }
  /** Its place depends on the height of an element, which may have all rows. */
  function isSizedByContainer(element) {
    const specified = element.computedStyleMap()
    return String(specified.get('bottom')) !== 'auto' || ['top', 'height'].some((name) => String(specified.get(name)).includes('%'))
  }
  /** Whether an element before or behind the table is beside it, or on pages of it. */
  function hasBeside(table, elements) {
    const { top, bottom } = table.getBoundingClientRect()
    return elements.some((element) => {
      const rect = element.getBoundingClientRect()
      if (!element.checkVisibility() || element.contains(table) || table.contains(element)) return false
      if (follows(table, element)) return rect.top < bottom - 10
      if (rect.bottom <= top + 1) return false
      return follows(first, element) || rect.bottom > innerHeight || getComputedStyle(element).float !== 'none'
    })
  }
  function inBlocks(table) {
    for (let element = table.parentElement; element; element = element.parentElement) if (!isBlock(element)) return false
    return true
  }
  function follows(one, other) {
    return (one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0
  }
  function hasCounter(element) {
    const { counterIncrement, counterReset, counterSet } = getComputedStyle(element)
    return [counterIncrement, counterReset, counterSet].some((value) => value !== 'none' && !/^list-item -?[0-9]+$/.test(value))
  }
  /** Whether a column group that is put before the rows changes what the selector matches. */
  function countsColumnGroups(selector) {
    const parts = selector.split(/\\s+/)
    const children = tables.filter((table) => table.querySelectorAll(':scope > colgroup').length !== 1).flatMap((table) => [...table.children])
    return parts.some((part, at) => {
      if (!/:(first|nth)-child/.test(part) && parts[at - 1] !== '+') return false
      const base = /^[^:]*/.exec(part)[0].replace(/,$/, '')
      try {
        return children.some((child) => base === '' || child.matches(base))
      } catch {
        return true
      }
    })
  }
  /**
   * Numbers that are counted through the document, pages that differ by their number or name, and rules that count from the last row or
   * look into rows.
   */
  function dependsOnAllRows() {
    const words = /counter-|counters?\\(|open-quote|:has\\(|:empty|:nth-last|:last-of-type|:only-|string-set|element\\(|position\\s*:\\s*sticky/i
    const visit = (rules) => [...rules].some((rule) => {
      if (rule instanceof CSSPageRule) return rule.selectorText !== '' || /@|counter/.test(rule.cssText.slice(1))
      if (rule.styleSheet) return visitSheet(rule.styleSheet)
      if (rule.cssRules?.length > 0 && visit(rule.cssRules)) return true
      if (rule.selectorText !== undefined && countsColumnGroups(rule.selectorText)) return true
      mayPlace ||= /position:\\s*(absolute|fixed)/i.test(rule.cssText)
      return words.test(rule.cssText) || /(^|;|{)\\s*page:/.test(rule.cssText)
    })
    const visitSheet = (sheet) => {
      try {
        return visit(sheet.cssRules)
      } catch {
        return true
      }
    }
    if ([...dom.styleSheets].some(visitSheet)) return true
    return dom.querySelector('[style*="counter-" i], [style*="page:" i], [style*="sticky" i]') !== null
  }
})()`

/** Rows that are measured together. */
const measuredRows = 500
const measuredAgain = 50

/**
 * Gives each large table the widths of the columns that it has with all rows. Only the rows that decide are laid out together: those
 * with the widest words and the widest lines of a column. Returns false if they were laid out differently.
 */
export const fixWidths = `(() => {
  ${domFunctions}
  ${tableFunctions}
  const { tables, rows } = globalThis.platenSlices
  const heightsOf = (some) => some.map(({ row }) => row.getBoundingClientRect().height)
  /** Widths of the columns, with the cells of the head. */
  const columnsOf = (table, own) => {
    let columns = 0
    for (const list of [table.tHead?.rows ?? [], own.map(({ row }) => row), table.tFoot?.rows ?? []]) {
      let above = []
      for (const { cells } of list) {
        let at = 0
        const next = above.map((left) => left - 1)
        for (const { colSpan, rowSpan } of cells) {
          while (above[at] > 0) at++
          for (let i = 0; i < colSpan; i++, at++) next[at] = rowSpan === 0 ? Infinity : rowSpan - 1
        }
        above = Array.from(next, (left) => left ?? 0)
        columns = Math.max(columns, above.length)
      }
    }
    return columns
  }
  const chunksOf = (list, size) => Array.from({ length: Math.ceil(list.length / size) }, (_, at) => list.slice(at * size, (at + 1) * size))
  return tables.every((table, index) => fix(table, rows.filter((one) => one.table === index)))

  function fix(table, own) {
    const columns = columnsOf(table, own)
    const probe = dom.createElement('tr')
    for (let i = 0; i < columns; i++) {
      const cell = dom.createElement('td')
      set(cell, { display: 'table-cell', padding: '0', border: '0', width: 'auto', 'min-width': '0', 'max-width': 'none', visibility: 'visible' })
      probe.append(cell)
    }
    set(probe, { display: 'table-row', visibility: 'visible' })
    const shown = (some) => {
      for (const body of table.tBodies) body.replaceChildren()
      for (const { row, body } of some) body.append(row)
      table.tBodies[0].append(probe)
    }
    const widthsOf = () => [...probe.cells].map((cell) => cell.getBoundingClientRect().width)
    const style = getComputedStyle(table)
    let deciding = own.slice(0, ${measuredRows})
    if (style.tableLayout === 'auto') {
      const before = table.getAttribute('style')
      const outer = String(table.computedStyleMap().get('width'))
      const available = availableWidth(table)
      set(table, { width: 'max-content', 'max-width': 'none', 'min-width': '0' })
      const widest = chooseBy(own, ${measuredRows}, ${measuredAgain})
      shown(widest)
      const fits = table.getBoundingClientRect().width <= available && /^(auto|[0-9.]+%)$/.test(outer)
      set(table, { width: 'min-content' })
      deciding = fits ? widest : [...new Set([...widest, ...chooseBy(own, ${measuredRows}, ${measuredAgain})])]
      if (before === null) table.removeAttribute('style')
      else table.setAttribute('style', before)
    }
    deciding.sort((some, other) => some.at - other.at)
    shown(deciding)
    const widths = widthsOf()
    const { width } = table.getBoundingClientRect()
    const heights = heightsOf(deciding)
    const fills = Math.abs(width - availableWidth(table)) < 1
    const specified = table.computedStyleMap().get('width')
    const sum = widths.reduce((all, one) => all + one, 0)
    const described = dom.createElement('colgroup')
    for (const one of widths) {
      const column = dom.createElement('col')
      set(column, { width: fills || specified.unit === 'percent' ? (one / sum) * 100 + '%' : one + 'px' })
      described.append(column)
    }
    const groups = table.querySelectorAll(':scope > colgroup')
    if (groups.length === 1) groups[0].replaceChildren(...described.children)
    else {
      for (const group of groups) group.remove()
      if (table.caption) table.caption.after(described)
      else table.prepend(described)
    }
    const used = specified.unit === 'percent' ? String(specified) : width + 'px'
    set(table, { 'table-layout': 'fixed', width: fills ? '100%' : used, 'min-width': '0', 'max-width': 'none' })
    const isSame = heightsOf(deciding).every((height, at) => Math.abs(height - heights[at]) < 0.1)
    probe.remove()
    for (const body of table.tBodies) body.replaceChildren()
    return isSame

    /** The rows of the chunk in which a column is widest, for each column. */
    function chooseBy(list, ...sizes) {
      const [size, ...smaller] = sizes
      if (size === undefined) return list
      const most = []
      for (const chunk of chunksOf(list, size)) {
        shown(chunk)
        for (const [at, width] of widthsOf().entries()) if (!(width <= (most[at]?.width ?? 0))) most[at] = { width, chunk }
      }
      return chooseBy([...new Set(most.map(({ chunk }) => chunk))].flat(), ...smaller)
    }
  }
})()`

/**
 * Shows a range of rows, with the parts of the document around them. `shift` moves them down, in pixels. Each shown row
 * gets a destination. Returns the shown rows, and for each whether a slice may begin with it; undefined if a part of
 * the document would be missing.
 */
export const showRows = (from: number, to: number, shift: number) => `(() => {
  ${domFunctions}
  ${tableFunctions}
  const slices = globalThis.platenSlices
  const { tables, rows, fixed } = slices
  const [from, to, shift] = ${JSON.stringify([from, to, shift])}
  for (const undo of slices.hidden.reverse()) undo()
  slices.hidden = []
  for (const { row } of rows.slice(slices.from, from)) {
    row.replaceChildren()
    set(row, { display: 'none' })
  }
  for (const { row, body } of rows.slice(slices.to, to)) body.append(row)
  if (slices.mayPlace && rows.slice(slices.to, to).some(({ row }) => [...row.querySelectorAll('*')].some(isPlaced))) return undefined
  slices.from = from
  slices.to = Math.max(slices.to, to)
  const [first, next, last] = [rows[from], rows[to], rows[to - 1]]
  let complete = true
  if (from > 0) {
    const table = tables[first.table]
    const isKept = (node) => node === table.tHead || node === table.tFoot || node.localName === 'colgroup' || node.localName === 'tbody'
    for (let node = first.body; node.parentElement; node = node.parentElement) {
      for (let before = node.previousSibling; before; before = before.previousSibling) if (node.parentElement !== table || !isKept(before)) hide(before)
    }
    for (let element = table; element; element = element.parentElement) {
      change(element, { 'margin-top': '0', 'padding-top': '0', ...(element !== table && { 'border-top-width': '0' }) })
    }
    for (const element of table.querySelectorAll(':scope > caption')) hide(element)
    if (shift !== 0) change(table, { 'margin-top': shift + 'px' })
    // Margins of a body and its parents would collapse.
    if (shift !== 0) change(dom.body, { display: 'flow-root' })
  }
  if (next) {
    const isSplit = next.table === last.table
    const table = tables[next.table]
    if (!isSplit) hide(table)
    for (let node = table; node.parentElement; node = node.parentElement) {
      for (let after = node.nextSibling; after; after = after.nextSibling) hide(after)
    }
    if (next.body === last.body) {
      const row = dom.createElement('tr')
      set(row, { display: 'none' })
      next.body.append(row)
      slices.hidden.push(() => row.remove())
    }
  }
  const links = dom.createElement('div')
  set(links, { display: 'none' })
  const shown = rows.slice(from, to).filter(({ row }) => row.checkVisibility())
  const marked = shown.map(({ at, row, starts, table }) => {
    const cell = [...row.cells].find(({ id }) => id === '')
    if (cell) {
      cell.id = '${rowPrefix}' + at
      const link = dom.createElement('a')
      link.href = '#${rowPrefix}' + at
      links.append(link)
      slices.hidden.push(() => cell.removeAttribute('id'))
    }
    return [at, table, cell !== undefined && starts]
  })
  dom.documentElement.append(links)
  slices.hidden.push(() => links.remove())
  return complete ? marked : undefined

  /** The page decides where it is. */
  function isPlaced(element) {
    const { position } = getComputedStyle(element)
    if (position !== 'absolute') return position === 'fixed'
    const row = element.closest('tbody > tr')
    return !row.contains(element.offsetParent)
  }
  function change(element, styles) {
    const style = element.getAttribute('style')
    set(element, styles)
    slices.hidden.push(() => (style === null ? element.removeAttribute('style') : element.setAttribute('style', style)))
  }
  /** Elements that are fixed are on each page. */
  function hide(node) {
    if (node.nodeType === Node.TEXT_NODE) {
      const { data } = node
      node.data = ''
      slices.hidden.push(() => (node.data = data))
    } else if (node.nodeType === Node.ELEMENT_NODE && !fixed.includes(node)) {
      if (fixed.some((element) => node.contains(element))) complete = false
      if (!/^(style|script|link|meta|title|head|template)$/.test(node.localName)) change(node, { display: 'none' })
    }
  }
})()`

/** Replaces the document with so many empty pages, which have its title and `@page` rules. */
export const showEmptyPages = (pages: number) => `(() => {
  ${domFunctions}
  const { title } = dom
  const pageRules = (rules) => [...rules].flatMap((rule) => {
    if (rule instanceof CSSPageRule) return [rule.cssText]
    if (rule.media && !matchMedia(rule.media.mediaText).matches) return []
    return pageRules(rule.styleSheet?.cssRules ?? rule.cssRules ?? [])
  })
  const sheets = [...dom.styleSheets].filter(({ disabled, media }) => !disabled && matchMedia(media.mediaText).matches)
  const style = dom.createElement('style')
  style.textContent = sheets.flatMap(({ cssRules }) => pageRules(cssRules)).join(' ')
  const body = dom.createElement('body')
  for (let i = 0; i < ${pages}; i++) {
    const page = dom.createElement('div')
    page.style.cssText = 'height: 1px; break-after: ' + (i + 1 < ${pages} ? 'page' : 'auto')
    body.append(page)
  }
  const head = dom.createElement('head')
  head.append(Object.assign(dom.createElement('title'), { textContent: title }))
  head.append(style)
  dom.documentElement.removeAttribute('style')
  dom.documentElement.removeAttribute('class')
  dom.documentElement.replaceChildren(head, body)
})()`
