import { type PageScripts, rowPrefix, type ShownRow } from '../contract.ts'
import { dom, keepAttribute, type Styles, set } from '../dom/dom.ts'
import { type Slices, slices, type TakenRow } from '../dom/slices.ts'

export const showRows: PageScripts['showRows'] = (from, to, shift) => {
  const state = slices.get()
  const { rows, mayPlace } = state
  for (const undo of state.undo.reverse()) undo()
  state.undo = []
  for (const { row } of rows.slice(state.from, from)) {
    row.replaceChildren()
    set(row, { display: 'none' })
  }
  const added = rows.slice(state.to, to)
  for (const { row, body } of added) body.append(row)
  if (mayPlace && added.some(({ row }) => [...row.querySelectorAll<HTMLElement>('*')].some(isPlaced))) return undefined
  state.from = from
  state.to = Math.max(state.to, to)
  const [first, last, next] = [rows[from], rows[to - 1], rows[to]]
  if (!first || !last) return undefined
  const isWholeBefore = from === 0 || hideBefore(state, first, shift)
  const isWholeBehind = !next || hideBehind(state, last, next)
  const marked = mark(state, rows.slice(from, to))
  return isWholeBefore && isWholeBehind ? marked : undefined
}

export const releaseRows: PageScripts['releaseRows'] = () => slices.set(undefined)

/** The page decides where it is. */
function isPlaced(element: HTMLElement): boolean {
  const { position } = getComputedStyle(element)
  if (position !== 'absolute') return position === 'fixed'
  const row = element.closest('tbody > tr')
  return !row?.contains(element.offsetParent)
}

/** Hides everything before a row but what its table repeats. Returns false if an element that is on each page is there. */
function hideBefore(state: Slices, { body, table: index }: TakenRow, shift: number): boolean {
  const table = state.tables[index]
  if (!table) return false
  const isKept = (node: Node) =>
    node === table.tHead ||
    node === table.tFoot ||
    (node instanceof Element && (node.localName === 'colgroup' || node.localName === 'tbody'))
  const before: Node[] = []
  for (let node: Element = body; node.parentElement; node = node.parentElement) {
    for (let other = node.previousSibling; other; other = other.previousSibling) {
      if (node.parentElement !== table || !isKept(other)) before.push(other)
    }
  }
  const isWhole = hideAll(state, before)
  for (let element: HTMLElement | null = table; element; element = element.parentElement) {
    const border: Styles = element === table ? {} : { 'border-top-width': '0' }
    change(state, element, { 'margin-top': '0', 'padding-top': '0', ...border })
  }
  const isCaptionWhole = hideAll(state, [...table.querySelectorAll(':scope > caption')])
  if (shift !== 0) {
    change(state, table, { 'margin-top': `${shift}px` })
    // Margins of a body and its parents would collapse.
    change(state, dom.body, { display: 'flow-root' })
  }
  return isWhole && isCaptionWhole
}

/** Hides everything behind the last row. Returns false if an element that is on each page is there. */
function hideBehind(state: Slices, last: TakenRow, next: TakenRow): boolean {
  const table = state.tables[next.table]
  if (!table) return false
  const behind: Node[] = next.table === last.table ? [] : [table]
  for (let node: Element = table; node.parentElement; node = node.parentElement) {
    for (let other = node.nextSibling; other; other = other.nextSibling) behind.push(other)
  }
  const isWhole = hideAll(state, behind)
  if (next.body === last.body) {
    // The last shown row is not the last one of its group.
    const row = dom.createElement('tr')
    set(row, { display: 'none' })
    next.body.append(row)
    state.undo.push(() => row.remove())
  }
  return isWhole
}

function hideAll(state: Slices, nodes: readonly Node[]): boolean {
  let isWhole = true
  for (const node of nodes) {
    if (node instanceof Text) {
      const { data } = node
      node.data = ''
      state.undo.push(() => {
        node.data = data
      })
    } else if (node instanceof Element && !state.fixed.includes(node)) {
      if (state.fixed.some((element) => node.contains(element))) isWhole = false
      if (!/^(style|script|link|meta|title|head|template)$/.test(node.localName)) {
        change(state, node as HTMLElement, { display: 'none' })
      }
    }
  }
  return isWhole
}

function change(state: Slices, element: HTMLElement, styles: Styles): void {
  state.undo.push(keepAttribute(element, 'style'))
  set(element, styles)
}

/** Gives each shown row a destination. */
function mark(state: Slices, rows: readonly TakenRow[]): ShownRow[] {
  const links = dom.createElement('div')
  set(links, { display: 'none' })
  const shown = rows.filter(({ row }) => row.checkVisibility())
  const marked = shown.map(({ at, row, starts, table }): ShownRow => {
    const cell = [...row.cells].find(({ id }) => id === '')
    if (!cell) return [at, table, false]
    cell.id = `${rowPrefix}${at}`
    const link = dom.createElement('a')
    link.href = `#${rowPrefix}${at}`
    links.append(link)
    state.undo.push(() => cell.removeAttribute('id'))
    return [at, table, starts]
  })
  dom.documentElement.append(links)
  state.undo.push(() => links.remove())
  return marked
}
