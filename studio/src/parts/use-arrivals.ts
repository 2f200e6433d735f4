import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { connection } from '../api/connection.ts'
import type { Page, PagedList } from '../api/paged-list.ts'

interface Item {
  id: string
  status: string
  created_at: string
}

interface ArrivalsOptions<Found extends Item> {
  list: PagedList<Found>
  /** The first page. */
  load(signal: AbortSignal): Promise<Page<Found>>
  loadOne(item: Found, signal: AbortSignal): Promise<Found>
  /** Whether an item that is shown is going to change. */
  isUnfinished(item: Found): boolean
  /** A text that is another one when the row is. */
  stampOf(item: Found): string
}

export interface Arrivals {
  /** How many items are newer than those that are shown. */
  count: number
  /** Shows them. */
  show(): void
}

const everyMs = 3_000
const mostAtOnce = 20

/** Looks every few seconds for newer items, which are counted and not shown, and for changes of those that are shown. */
export function useArrivals<Found extends Item>(options: ArrivalsOptions<Found>): Arrivals {
  const { list } = options
  const arrived = useSignal<readonly Found[]>([])
  const latest = useRef(options)
  latest.current = options
  useEffect(() => {
    arrived.value = []
    const abort = new AbortController()
    const look = async () => {
      const isIdle = list.state.peek() === 'more' || list.state.peek() === 'complete'
      if (document.hidden || connection.peek() === 'lost' || !isIdle) return
      const { load, loadOne, isUnfinished, stampOf } = latest.current
      const { data } = await load(abort.signal)
      const shown = list.items.peek()
      if (shown.length === 0) return data.length > 0 ? list.reload() : undefined
      const [newest] = shown
      const known = new Set(shown.map(({ id }) => id))
      arrived.value = data.filter(({ id, created_at }) => !known.has(id) && created_at >= (newest?.created_at ?? ''))
      const found = new Map(data.map((item) => [item.id, item]))
      // A filter by status does not find those any more that have changed.
      const changed = shown.filter((item) => isUnfinished(item) && !found.has(item.id)).slice(0, mostAtOnce)
      for (const item of changed) found.set(item.id, await loadOne(item, abort.signal))
      const hasChanged = (item: Found) => stampOf(item) !== stampOf(found.get(item.id) ?? item)
      if (shown.some(hasChanged)) {
        list.update((items) => items.map((item) => found.get(item.id) ?? item))
      }
    }
    let timer: ReturnType<typeof setTimeout>
    const again = () => {
      timer = setTimeout(() => {
        // What cannot be loaded now is looked at the next time. A lost connection has a banner.
        void look()
          .catch(() => {})
          .finally(() => !abort.signal.aborted && again())
      }, everyMs)
    }
    again()
    return () => {
      abort.abort()
      clearTimeout(timer)
    }
  }, [list])
  const count = arrived.value.length
  return {
    count,
    show() {
      const fresh = arrived.value
      arrived.value = []
      // There may be others between a whole page of them and what is shown.
      if (fresh.length >= 100) void list.reload()
      else {
        list.update((items) => {
          // It may have been loaded again.
          const known = new Set(items.map(({ id }) => id))
          return [...fresh.filter(({ id }) => !known.has(id)), ...items]
        })
      }
    },
  }
}
