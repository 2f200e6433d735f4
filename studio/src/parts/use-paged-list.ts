import { useEffect, useMemo, useRef } from 'preact/hooks'
import { recoveries } from '../api/connection.ts'
import { type LoadPage, type PagedList, pagedList } from '../api/paged-list.ts'
import { whenSignedOut } from '../api/session-state.ts'
import { keptInHistory } from '../router/address.ts'
import { keepNewest } from './keep-newest.ts'

/** The lists that were shown last: back and forward show them at once, where they were scrolled to. */
const kept = new Map<string, PagedList<never>>()
const maxKept = 12
whenSignedOut(() => kept.clear())

/**
 * A list of the API that is loaded by pages. The key is a word, a space, and the filters, owner included: `templates {"q": "a"}`. A
 * list that was shown before is shown at once, and its first page is loaded again, unless one comes back to a place below it. While
 * the first page of another filter is on its way, the list before stays if it has the same word.
 */
export function usePagedList<Item>(key: string, load: LoadPage<Item>, idOf: (item: Item) => string): PagedList<Item> {
  const isFirst = useRef(true)
  const list = useMemo(() => {
    const known = kept.get(key) as PagedList<Item> | undefined
    const opened = known ?? pagedList(load, idOf)
    keepNewest(kept, { key, value: opened as PagedList<never>, most: maxKept })
    if (known === undefined) void opened.loadMore()
    else if (known.items.value.length <= pageSize || !keptInHistory(keptPlace)) void known.reload()
    return opened
  }, [key])
  const recovered = recoveries.value
  useEffect(() => {
    if (!isFirst.current && list.state.value === 'failed') void list.loadMore()
    isFirst.current = false
  }, [recovered])
  const [word] = key.split(' ', 1)
  const shown = useRef<{ word: string | undefined; list: PagedList<Item> }>(undefined)
  const isArrived = list.state.value !== 'loading' || list.items.value.length > 0
  if (isArrived || shown.current?.word !== word) shown.current = { word, list }
  return shown.current?.list ?? list
}

/** The `limit` of a page of a list, which is the largest of the API. */
export const pageSize = 100

/** The name under which the history has the place to which a list was scrolled. */
export const keptPlace = 'scrollTop'
