import { hidingId, type PageScripts } from '../contract.ts'
import { dom } from '../dom/dom.ts'
import { slices } from '../dom/slices.ts'
import type { AnyRule } from '../dom/style-rules.ts'
import { endOfCells, hasPlainColumns, isDrawnWhole, isInBlocks, isPlainBlock } from '../dom/tables.ts'

export const takeRows: PageScripts['takeRows'] = (mostRows) => {
  // Destinations of links are lost when pages are joined.
  if (dom.querySelector('a[href^="#"], area[href^="#"], form, input, select, textarea, button')) return 0
  const tables = [...dom.querySelectorAll('table')].filter(({ rows }) => rows.length > mostRows)
  const [first] = tables
  if (!first || !tables.every(isTable) || !dom.body) return 0
  const { mayPlace, dependsOnAllRows } = readStyles(tables)
  if (dependsOnAllRows) return 0
  const rows = tables.flatMap(takeRowsOf).map((row, at) => ({ ...row, at }))
  dom.getElementById(hidingId)?.remove()
  const others = [...dom.querySelectorAll<HTMLElement>('body *')]
  const isMoved = (element: Element) =>
    getComputedStyle(element).position === 'absolute' && (follows(first, element) || isSizedByContainer(element))
  if (!tables.every((table) => isWhole(table) && isInBlocks(table, isBlockOfSlices))) return 0
  if (others.some((element) => isMoved(element) || hasCounter(element))) return 0
  const fixed = others.filter((element) => getComputedStyle(element).position === 'fixed')
  const inFlow = others.filter((element) => !fixed.includes(element))
  if (tables.some((table) => inFlow.some((element) => isBeside(element, table, first)))) return 0
  slices.set({ tables, rows, fixed, mayPlace, undo: [], from: 0, to: 0 })
  return rows.length
}

const isTable = (table: HTMLTableElement) =>
  !table.parentElement?.closest('table') &&
  table.querySelector('table') === null &&
  table.querySelector(':scope > tr') === null

function takeRowsOf(table: HTMLTableElement, index: number) {
  return [...table.tBodies].flatMap((body) => {
    let covered = 0
    const own = [...body.rows]
    const taken = own.map((row, at) => {
      const starts = covered <= at
      covered = Math.max(covered, endOfCells(row, at, own.length))
      return { row, body, table: index, starts }
    })
    body.replaceChildren()
    return taken
  })
}

function isWhole(table: HTMLTableElement): boolean {
  const style = getComputedStyle(table)
  const { caption, tHead, tFoot, tBodies } = table
  return (
    style.display === 'table' &&
    style.float === 'none' &&
    style.position === 'static' &&
    style.breakInside === 'auto' &&
    !isDrawnWhole(table, style) &&
    (!caption || getComputedStyle(caption).captionSide === 'top') &&
    (!tHead || getComputedStyle(tHead).display === 'table-header-group') &&
    (!tFoot || getComputedStyle(tFoot).display === 'table-footer-group') &&
    [...tBodies].every((body) => getComputedStyle(body).display === 'table-row-group') &&
    hasPlainColumns(table)
  )
}

function isBlockOfSlices(element: HTMLElement, style: CSSStyleDeclaration): boolean {
  const effects = [
    ...[style.rotate, style.scale, style.translate, style.filter, style.clipPath, style.maskImage],
    ...[style.borderImageSource, style.backgroundImage, style.outlineStyle, style.boxShadow],
  ]
  return (
    isPlainBlock(element, style) &&
    effects.every((effect) => effect === 'none') &&
    style.breakInside === 'auto' &&
    (element === dom.documentElement || !(Number.parseFloat(style.borderTopLeftRadius) > 0)) &&
    !/^(size|content|paint|strict|layout)/.test(style.contain) &&
    isSizedByContent(element)
  )
}

/** In a printed document, a height in percent of the body is that of its content. Each slice is higher than a page. */
function isSizedByContent(element: HTMLElement): boolean {
  const specified = element.computedStyleMap()
  const sizeOf = (name: string) => String(specified.get(name))
  const [height, most, least] = [sizeOf('height'), sizeOf('max-height'), sizeOf('min-height')]
  const isRoot = element === dom.body || element === dom.documentElement
  return (
    (height === 'auto' || (isRoot && height.endsWith('%'))) &&
    (isRoot || most === 'none') &&
    (/^(auto|[0-9.]+%)$/.test(least) || (/^[0-9.]+px$/.test(least) && Number.parseFloat(least) <= innerHeight))
  )
}

/** Its place depends on the height of an element, which may have all rows. */
function isSizedByContainer(element: Element): boolean {
  const specified = element.computedStyleMap()
  const isPercentage = (name: string) => String(specified.get(name)).includes('%')
  return String(specified.get('bottom')) !== 'auto' || isPercentage('top') || isPercentage('height')
}

/** Whether an element before or behind the table is beside it, or on pages of it. `first` is the first large table. */
function isBeside(element: HTMLElement, table: HTMLTableElement, first: HTMLTableElement): boolean {
  const { top, bottom } = table.getBoundingClientRect()
  const rect = element.getBoundingClientRect()
  if (!element.checkVisibility() || element.contains(table) || table.contains(element)) return false
  if (follows(table, element)) return rect.top < bottom - 10
  if (rect.bottom <= top + 1) return false
  return follows(first, element) || rect.bottom > innerHeight || getComputedStyle(element).float !== 'none'
}

const follows = (one: Element, other: Element) =>
  (one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0

function hasCounter(element: Element): boolean {
  const { counterIncrement, counterReset, counterSet } = getComputedStyle(element)
  return [counterIncrement, counterReset, counterSet].some(
    (value) => value !== 'none' && !/^list-item -?[0-9]+$/.test(value),
  )
}

const wordsOfAllRows =
  /counter-|counters?\(|open-quote|:has\(|:empty|:nth-last|:last-of-type|:only-|string-set|element\(|position\s*:\s*sticky/i

/**
 * `dependsOnAllRows`: numbers that are counted through the document, pages that differ by their number or name, and rules
 * that count from the last row or look into rows. `mayPlace`: elements may be absolute or fixed.
 */
function readStyles(tables: readonly HTMLTableElement[]): { dependsOnAllRows: boolean; mayPlace: boolean } {
  let mayPlace = dom.querySelector('table [style*="position" i]') !== null
  const visit = (rules: CSSRuleList): boolean =>
    [...rules].some((rule: AnyRule) => {
      if (rule instanceof CSSPageRule) return rule.selectorText !== '' || /@|counter/.test(rule.cssText.slice(1))
      if (rule.styleSheet) return visitSheet(rule.styleSheet)
      if (rule.cssRules && visit(rule.cssRules)) return true
      if (rule.selectorText !== undefined && countsColumnGroups(rule.selectorText, tables)) return true
      mayPlace ||= /position:\s*(absolute|fixed)/i.test(rule.cssText)
      return wordsOfAllRows.test(rule.cssText) || /(^|;|{)\s*page:/.test(rule.cssText)
    })
  const visitSheet = (sheet: CSSStyleSheet): boolean => {
    try {
      return visit(sheet.cssRules)
    } catch {
      return true
    }
  }
  const dependsOnAllRows =
    [...dom.styleSheets].some(visitSheet) ||
    dom.querySelector('[style*="counter-" i], [style*="page:" i], [style*="sticky" i]') !== null
  return { dependsOnAllRows, mayPlace }
}

/** Whether a column group that is put before the rows changes what the selector matches. */
function countsColumnGroups(selector: string, tables: readonly HTMLTableElement[]): boolean {
  const parts = selector.split(/\s+/)
  const children = tables
    .filter((table) => table.querySelectorAll(':scope > colgroup').length !== 1)
    .flatMap((table) => [...table.children])
  return parts.some((part, index) => {
    if (!/:(first|nth)-child/.test(part) && parts[index - 1] !== '+') return false
    const base = part.replace(/:.*/s, '').replace(/,$/, '')
    try {
      return children.some((child) => base === '' || child.matches(base))
    } catch {
      return true
    }
  })
}
