import type { PageScripts } from '../contract.ts'
import { call, dom, keepAttribute, set } from '../dom/dom.ts'
import {
  availableWidth,
  columnGroup,
  endOfCells,
  fixColumns,
  fixedWidth,
  gridOf,
  hasContent,
  hasPlainColumns,
  isDrawnWhole,
  isInBlocks,
} from '../dom/tables.ts'

/** On each part of a split table. */
const partMark = 'data-platen-part'

/** Two of the 64 units that Chromium divides a pixel into. */
const sliver = 2 / 64

type Sizes = Parameters<PageScripts['splitTables']>[0]

interface Plan {
  table: HTMLTableElement
  head: HTMLTableSectionElement | undefined
  rows: HTMLTableRowElement[]
  /** The indices of the rows that the parts after the first begin with. */
  cuts: number[]
  columnWidths: number[]
  /** The width of the table. */
  width: string
  /** The distances between the rows beside each cut. */
  gaps: number[]
  style: CSSStyleDeclaration
  before: Look
}

/** How a table looks, and what puts it together again. */
interface Look {
  samples: HTMLElement[]
  looks: string
  heights: number[]
  restore(boxes: readonly HTMLElement[]): void
}

/** A box around each part after the first. */
interface PartBox {
  box: HTMLElement
  part: HTMLTableElement
}

/**
 * A part is a table in a box that hides its head; on the pages after its first, Chromium repeats the head at the top of
 * the box, where it is visible. Parts have the column widths of the whole table, are in its place, and have no second
 * head between them. A table stays whole if its parts could look different: in a flex or multi-column layout, in another
 * table, with a repeated footer, with headings in its head, or with rows that break pages. Rules such as `body > table`
 * or `tr:nth-child(5n)` cannot be checked beforehand: sizes and styles are compared, and a table that differs is put
 * together again.
 */
export const splitTables: PageScripts['splitTables'] = (sizes) => {
  const planned = [...dom.querySelectorAll('table')].flatMap((table) => plan(table, sizes) ?? [])
  const cut = planned.map((plan) => ({ plan, boxes: cutTable(plan) }))
  const same = cut.filter(({ plan }) => isSame(plan))
  for (const one of cut) if (!same.includes(one)) one.plan.before.restore(one.boxes.map(({ box }) => box))
  for (const { plan, boxes } of same) {
    for (const part of [plan.table, ...boxes.map(({ box }) => box)]) part.setAttribute(partMark, '')
  }
  // The parts are measured together, and moved together: each measurement after a change lays the whole document out.
  const moves = same.flatMap(({ plan, boxes }) => movesOf(plan, boxes))
  for (const { box, part, hidden, below } of moves) {
    set(box, { 'margin-top': `${hidden - below}px` })
    set(part, { 'margin-top': `${-hidden}px` })
  }
  return same.length
}

export const hideSplitTables: PageScripts['hideSplitTables'] = () => {
  const style = dom.createElement('style')
  style.textContent = `@media (height: 1px) { [${partMark}] { display: none !important } }`
  dom.documentElement.append(style)
}

/** Undefined for a table that stays whole. */
function plan(table: HTMLTableElement, { mostRows, rowsOfPart }: Sizes): Plan | undefined {
  if (table.rows.length <= mostRows) return undefined
  const style = getComputedStyle(table)
  const bodies = [...table.tBodies]
  if (!isSplittable(table, style) || !bodies.every(isPlainBody)) return undefined
  const head = table.tHead ?? undefined
  const rows = bodies.flatMap((body) => [...body.rows])
  const { columns, full } = columnsOf(head ? [head, ...bodies] : bodies)
  const groups = [...table.querySelectorAll(':scope > colgroup')]
  const described = groups.flatMap((group) => [...group.children] as Partial<HTMLTableColElement>[])
  if (!full || described.reduce((sum, { span }) => sum + (span ?? 0), 0) > columns) return undefined
  const cuts = rows.every(isPlainRow) ? cutsOf(rows, rowsOfPart) : []
  if (cuts.length === 0) return undefined
  const samples = samplesOf(table, rows, cuts)
  return {
    table,
    head,
    rows,
    cuts,
    columnWidths: [...full.cells].map((cell) => cell.getBoundingClientRect().width),
    width: fixedWidth(table, Math.abs(table.getBoundingClientRect().width - availableWidth(table)) < 1),
    gaps: cuts.map((index) => gapBefore(rows, index)),
    style,
    before: {
      samples,
      looks: looksOf(samples),
      heights: heightsOf(rows, cuts),
      restore: restoring(table, bodies),
    },
  }
}

function isSplittable(table: HTMLTableElement, style: CSSStyleDeclaration): boolean {
  const { caption, tHead, tFoot } = table
  return (
    style.display === 'table' &&
    style.float === 'none' &&
    style.position === 'static' &&
    !isDrawnWhole(table, style) &&
    !tFoot &&
    (!caption || getComputedStyle(caption).captionSide === 'top') &&
    isInBlocks(table) &&
    !isBesideFloat(table) &&
    (!tHead || isPlainHead(tHead)) &&
    hasPlainColumns(table)
  )
}

const isPlainHead = (head: HTMLTableSectionElement) =>
  getComputedStyle(head).display === 'table-header-group' &&
  !head.querySelector('h1,h2,h3,h4,h5,h6,[data-platen-number]')

function isPlainBody(body: HTMLTableSectionElement): boolean {
  const style = getComputedStyle(body)
  const isGroup = style.display === 'table-row-group' && style.counterReset === 'none'
  return isGroup && !breaksPages(style) && !hasContent(body)
}

function isPlainRow(row: HTMLTableRowElement): boolean {
  const style = getComputedStyle(row)
  return !breaksPages(style) && /^(table-row|none)$/.test(style.display) && style.visibility !== 'collapse'
}

/** Breaks pages, or names another one. */
const breaksPages = ({ breakBefore, breakAfter, page }: CSSStyleDeclaration) =>
  breakBefore !== 'auto' || breakAfter !== 'auto' || (page ?? 'auto') !== 'auto'

/** A part is put beside a float only if it begins there. */
function isBesideFloat(table: HTMLTableElement): boolean {
  const { top, bottom } = table.getBoundingClientRect()
  return [...dom.querySelectorAll('body :not(table, table *)')].some((element) => {
    if (getComputedStyle(element).float === 'none') return false
    const rect = call(element, 'getBoundingClientRect')
    return rect.bottom > top + 1 && rect.top < bottom - 1
  })
}

/** The number of columns, and a row that has a cell in each. */
function columnsOf(sections: readonly HTMLTableSectionElement[]) {
  let most = 0
  let full: HTMLTableRowElement | undefined
  for (const section of sections) {
    for (const { row, columns, isFree } of gridOf(section.rows)) {
      if (columns > most) [most, full] = [columns, undefined]
      const isFull = isFree && row.cells.length === most && getComputedStyle(row).display === 'table-row'
      if (!full && isFull) full = row
    }
  }
  return { columns: most, full }
}

/** No cell reaches over a cut, and none is in a group that is kept on a page. */
function cutsOf(rows: readonly HTMLTableRowElement[], rowsOfPart: number): number[] {
  const isKept = (body: Element | null) => body !== null && getComputedStyle(body).breakInside !== 'auto'
  const isShown = (row: HTMLTableRowElement) => getComputedStyle(row).display !== 'none'
  const cuts: number[] = []
  let covered = 0
  for (const [index, row] of rows.entries()) {
    covered = Math.max(covered, endOfCells(row, index, rows.length))
    const count = index + 1 - (cuts.at(-1) ?? 0)
    const next = rows[index + 1]
    if (count < rowsOfPart || count % 12 !== 0 || covered > index + 1 || !next) continue
    if (next.parentElement === row.parentElement && isKept(row.parentElement)) continue
    if (isShown(row) && isShown(next)) cuts.push(index + 1)
  }
  return cuts
}

const gapBefore = (rows: readonly HTMLTableRowElement[], index: number) =>
  topOf(rows[index]) - bottomOf(rows[index - 1])
const topOf = (row: HTMLElement | undefined) => row?.getBoundingClientRect().top ?? 0
const bottomOf = (row: HTMLElement | undefined) => row?.getBoundingClientRect().bottom ?? 0

/** Elements to compare: those beside the cuts, and some rows of the second part. */
function samplesOf(
  table: HTMLTableElement,
  rows: readonly HTMLTableRowElement[],
  cuts: readonly number[],
): HTMLElement[] {
  const second = rows.slice(cuts[0], cuts[1] ?? rows.length)
  const some = second.filter((_, index) => index < 30 || index % 13 === 0)
  const beside = cuts.flatMap((index) => rows.slice(index - 1, index + 1))
  const around = [table.previousElementSibling, table.nextElementSibling, table.tHead] as (HTMLElement | null)[]
  return [
    ...around.filter((element) => element !== null),
    ...[...new Set([...beside, ...some])].flatMap((row) => [row, ...[...row.cells].slice(0, 8)]),
  ]
}

const compared = [
  ...(['color', 'backgroundColor', 'backgroundImage', 'fontFamily', 'fontSize', 'fontWeight', 'fontStyle'] as const),
  ...(['lineHeight', 'textAlign', 'verticalAlign', 'textTransform', 'textDecorationLine', 'letterSpacing'] as const),
  ...(['whiteSpace', 'display', 'visibility', 'opacity', 'boxShadow'] as const),
  ...(['Top', 'Right', 'Bottom', 'Left'] as const).flatMap((side) => [
    `padding${side}` as const,
    `border${side}Width` as const,
    `border${side}Style` as const,
    `border${side}Color` as const,
  ]),
]

function lookOf(element: Element): string {
  const style = getComputedStyle(element)
  return compared.map((name) => style[name]).join('|')
}

const looksOf = (elements: readonly HTMLElement[]) =>
  elements
    .map((element) => {
      const group = element.localName === 'tr' ? element.parentElement : null
      return lookOf(element) + (group ? lookOf(group) : '')
    })
    .join()

const heightsOf = (rows: readonly HTMLTableRowElement[], cuts: readonly number[]) =>
  [0, ...cuts].map((from, number) => bottomOf(rows[(cuts[number] ?? rows.length) - 1]) - topOf(rows[from]))

function isSame({ rows, cuts, before }: Plan): boolean {
  const heights = heightsOf(rows, cuts)
  return (
    looksOf(before.samples) === before.looks &&
    heights.every((height, index) => Math.abs(height - (before.heights[index] ?? 0)) < 1.5)
  )
}

function restoring(table: HTMLTableElement, bodies: readonly HTMLElement[]): Look['restore'] {
  const restoreStyle = keepAttribute(table, 'style')
  const contents = [table, ...bodies].map((element) => ({ element, nodes: [...element.childNodes] }))
  return (boxes) => {
    for (const box of boxes) box.remove()
    for (const { element, nodes } of contents) element.replaceChildren(...nodes)
    restoreStyle()
  }
}

function cutTable({ table, style, head, rows, cuts, columnWidths, width }: Plan): PartBox[] {
  const counts = style.counterReset !== 'none'
  const sum = columnWidths.reduce((all, one) => all + one, 0)
  const columns = columnGroup(columnWidths.map((one) => `${(one / sum) * 100}%`))
  fixColumns(table, width, columns)
  const repeated = head && repeatedHead(head)
  const boxes = cuts.map((from, number) => {
    const part = table.cloneNode(false) as HTMLTableElement
    part.removeAttribute('id')
    part.append(columns.cloneNode(true))
    if (repeated) part.append(repeated.cloneNode(true))
    moveRows(rows.slice(from, cuts[number + 1]), part, rows[from - 1])
    set(part, {
      'break-before': 'auto',
      'break-after': 'auto',
      'break-inside': 'auto',
      'counter-increment': 'none',
      'counter-set': 'none',
      'margin-top': '0',
      ...(counts && { 'counter-reset': 'none' }),
      ...(!repeated && { 'border-top-width': '0', 'padding-top': '0' }),
    })
    return { box: boxAround(part, style), part }
  })
  // Inside of the box it would not collapse with the margin of what follows.
  const last = boxes.at(-1)
  if (last) {
    set(last.box, { 'margin-bottom': style.marginBottom, 'break-after': style.breakAfter })
    set(last.part, { 'margin-bottom': '0' })
  }
  set(table, { 'break-after': 'auto' })
  table.after(...boxes.map(({ box }) => box))
  for (const body of [...table.tBodies]) if (body.rows.length === 0) body.remove()
  for (const part of [table, ...boxes.slice(0, -1).map(({ part }) => part)]) {
    set(part, { 'margin-bottom': '0', 'border-bottom-width': '0', 'padding-bottom': '0' })
  }
  return boxes
}

/** It counts nothing a second time. */
function repeatedHead(head: HTMLTableSectionElement): HTMLElement {
  const repeated = head.cloneNode(true) as HTMLElement
  for (const element of [repeated, ...repeated.querySelectorAll<HTMLElement>('*')]) {
    call(element, 'removeAttribute', 'id')
    set(element, { 'counter-increment': 'none', 'counter-reset': 'none', 'counter-set': 'none' })
  }
  return repeated
}

/** Into groups like those that the rows were in. At the cut, a row is neither the first nor the last one of its group. */
function moveRows(
  rows: readonly HTMLTableRowElement[],
  part: HTMLTableElement,
  before: HTMLTableRowElement | undefined,
): void {
  let from: HTMLElement | null = null
  let body: HTMLElement | undefined
  for (const row of rows) {
    if (!body || row.parentElement !== from) {
      from = row.parentElement
      body = from?.cloneNode(false) as HTMLElement
      if (row === rows[0]) {
        body.removeAttribute('id')
        body.append(hiddenRows(12))
        before?.parentElement?.append(hiddenRows(1))
      }
      part.append(body)
    }
    body.append(row)
  }
}

function hiddenRows(count: number): DocumentFragment {
  const rows = dom.createDocumentFragment()
  for (let i = 0; i < count; i++) {
    const row = dom.createElement('tr')
    set(row, { display: 'none' })
    rows.append(row)
  }
  return rows
}

function boxAround(part: HTMLElement, style: CSSStyleDeclaration): HTMLElement {
  const box = dom.createElement('div')
  set(box, {
    display: 'flow-root',
    margin: '0',
    padding: '0',
    border: '0',
    width: 'auto',
    height: 'auto',
    float: 'none',
    position: 'static',
    background: 'none',
    page: style.page ?? 'auto',
    'break-before': 'avoid',
    'overflow-x': 'visible',
    'overflow-y': 'clip',
  })
  // If the part begins at the top of a page, the break is after this, and drops the margin that hides the head. It has a
  // place on the page before even if the rows there leave none.
  const before = dom.createElement('div')
  set(before, { display: 'flow-root', height: `${sliver}px`, margin: '0', padding: '0', border: '0' })
  box.append(before, part)
  return box
}

/** How far the head of each part must be hidden, and how far its first row is too low. */
const movesOf = ({ rows, cuts, gaps, head }: Plan, boxes: readonly PartBox[]) =>
  boxes.map(({ box, part }, number) => {
    const index = cuts[number] ?? 0
    const row = rows[index]
    const first = row?.cells[0] ?? row
    const border = (first && Number.parseFloat(getComputedStyle(first).borderTopWidth)) || 0
    const below = gapBefore(rows, index) - (gaps[number] ?? 0)
    const hidden = head ? topOf(row) - box.getBoundingClientRect().top - border / 2 - sliver : 0
    return { box, part, hidden, below }
  })
