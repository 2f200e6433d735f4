import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { PagedList } from '../api/paged-list.ts'
import { keepInHistory, keptInHistory } from '../router/address.ts'
import { Button } from './button.tsx'
import { formatNumber } from './format.ts'
import { Icon } from './icon.tsx'
import { Link } from './link.tsx'
import { moveFocus } from './move-focus.ts'
import { Failure, Notice } from './states.tsx'
import type { Column, Sort } from './table-column.ts'
import { textOf } from './use-action.ts'
import { keptPlace, pageSize } from './use-paged-list.ts'
import { useSlow } from './use-slow.ts'
import { rowHeight, useVisibleRows } from './visible-rows.ts'

export interface TableProps<Item> {
  /** What is listed: `Templates`. */
  label: string
  list: PagedList<Item>
  columns: readonly Column<Item>[]
  idOf(item: Item): string
  /** The page of an item, below `/studio`. The first cell that has a header is the link. */
  linkOf?: (item: Item) => string
  /** Is shown instead of a table without rows. */
  empty: ComponentChildren
  sort?: Sort
}

/** Rows of the list that are drawn before they are loaded. */
const placeholders = 8

/** Another list is another table: it begins at its top. */
export function Table<Item>(props: TableProps<Item>) {
  return <ListTable key={props.list.id} {...props} />
}

/**
 * A list of the API, as long as it is. Only the rows that can be seen are in the document; the next page is loaded before the last
 * row is reached. The place is kept in the history, so that back and a reload find it.
 */
function ListTable<Item>({ label, list, columns, idOf, linkOf, empty, sort }: TableProps<Item>) {
  const { items, state, error } = list
  const scroller = useRef<HTMLDivElement>(null)
  const rows = items.value
  const { first, last } = useVisibleRows(scroller, rows.length)
  const isSlow = useSlow(state.value === 'loading' && rows.length === 0)
  const nearEnd = last + pageSize >= rows.length
  useEffect(() => {
    if (nearEnd && state.value === 'more') void list.loadMore()
  }, [nearEnd, state.value, rows.length, list])
  useKeptPlace(scroller, list)
  if (rows.length === 0) {
    if (state.value === 'complete') return <>{empty}</>
    if (state.value === 'failed') {
      return <Failure error={error.value} title={`${label} could not be loaded`} retry={() => void list.loadMore()} />
    }
  }
  const shown = rows.slice(first, last)
  const linked = columns.find(({ header }) => header !== '')?.id
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrows move between the links of the rows
    <div class="table-scroller" ref={scroller} onKeyDown={(event) => moveBetweenRows(event, scroller.current)}>
      <table class="table" aria-label={label} aria-rowcount={state.value === 'complete' ? rows.length + 1 : -1}>
        <TableHead columns={columns} sort={sort} />
        <tbody>
          <Spacer rows={first} />
          {shown.map((item, at) => (
            <tr key={idOf(item)} aria-rowindex={first + at + 2}>
              {columns.map(({ id, cell, align, isWide }) => (
                <td key={id} data-align={align} data-wide={isWide || undefined}>
                  {id === linked && linkOf ? (
                    <Link to={linkOf(item)} class="row-link">
                      {cell(item)}
                    </Link>
                  ) : (
                    cell(item)
                  )}
                </td>
              ))}
            </tr>
          ))}
          <Spacer rows={rows.length - last} />
          {rows.length === 0 && isSlow && <Placeholders columns={columns} />}
        </tbody>
      </table>
      <p class="table-foot" role="status">
        {state.value === 'loading' && rows.length > 0 && 'Loading more…'}
        {state.value === 'complete' && rows.length > 20 && `${formatNumber(rows.length)} in all`}
      </p>
      {state.value === 'failed' && (
        <Notice tone="bad">
          {textOf(error.value)} <Button onClick={() => void list.loadMore()}>Try again</Button>
        </Notice>
      )}
    </div>
  )
}

/** One cell: with all columns it would bring back those that a narrow table leaves out. */
function Spacer({ rows }: { rows: number }) {
  if (rows <= 0) return null
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: it has no content
    <tr aria-hidden="true" class="spacer">
      <td style={{ height: `${rows * rowHeight}px` }} />
    </tr>
  )
}

function Placeholders({ columns }: { columns: readonly Omit<Column<never>, 'cell'>[] }) {
  return Array.from({ length: placeholders }, (_, at) => (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: it has no content
    <tr key={`placeholder ${at}`} aria-hidden="true" class="placeholder">
      {columns.map(({ id, isWide }) => (
        <td key={id} data-wide={isWide || undefined}>
          <span />
        </td>
      ))}
    </tr>
  ))
}

/** Arrow up and down go to the link of the row before and after. */
function moveBetweenRows(event: KeyboardEvent, scroller: HTMLElement | null): void {
  if (!(event.target instanceof HTMLElement) || !event.target.matches('.row-link')) return
  const next = moveFocus(event, [...(scroller?.querySelectorAll<HTMLElement>('.row-link') ?? [])])
  next?.closest('tr')?.scrollIntoView({ block: 'nearest' })
}

const pauseMs = 100

/** After a reload, pages are loaded until the place is there. */
function useKeptPlace<Item>(scroller: { current: HTMLElement | null }, list: PagedList<Item>): void {
  const wanted = useRef<number>(undefined)
  wanted.current ??= Number(keptInHistory(keptPlace) ?? 0)
  const count = list.items.value.length
  const state = list.state.value
  useEffect(() => {
    const { current } = scroller
    const top = wanted.current ?? 0
    if (current === null || top === 0 || count === 0) return
    if (count * rowHeight >= top + current.clientHeight || state === 'complete') {
      current.scrollTop = top
      wanted.current = 0
    } else if (state === 'more') void list.loadMore()
  }, [count, state])
  const isShown = count > 0
  useEffect(() => {
    const { current } = scroller
    if (current === null) return
    let timer: ReturnType<typeof setTimeout>
    const keep = () => {
      clearTimeout(timer)
      timer = setTimeout(() => keepInHistory(keptPlace, current.scrollTop), pauseMs)
    }
    current.addEventListener('scroll', keep, { passive: true })
    return () => {
      clearTimeout(timer)
      current.removeEventListener('scroll', keep)
    }
  }, [isShown])
}

interface HeadProps {
  columns: readonly Omit<Column<never>, 'cell'>[]
  sort: Sort | undefined
}

/** The heads of the columns. A column that the API sorts by has a button. */
function TableHead({ columns, sort }: HeadProps) {
  return (
    <>
      <colgroup>
        {columns.map(({ id, width, isWide }) => (
          <col key={id} data-wide={isWide || undefined} style={width === undefined ? undefined : { width }} />
        ))}
      </colgroup>
      <thead>
        <tr aria-rowindex={1}>
          {columns.map(({ id, header, label, align, isWide, sort: by }) => (
            <th
              key={id}
              scope="col"
              data-align={align}
              data-wide={isWide || undefined}
              aria-sort={by !== undefined && by === sort?.by ? (by === 'name' ? 'ascending' : 'descending') : undefined}
            >
              {by === undefined || sort === undefined ? (
                header || <span class="visually-hidden">{label}</span>
              ) : (
                <button type="button" onClick={() => sort.onSort(by)}>
                  {header}
                  {by === sort.by && <Icon name={by === 'name' ? 'arrow-up' : 'arrow-down'} />}
                </button>
              )}
            </th>
          ))}
        </tr>
      </thead>
    </>
  )
}
