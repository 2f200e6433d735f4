import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { connection } from '../../api/connection.ts'
import type { Page, PagedList } from '../../api/paged-list.ts'

interface Item {
  id: string
  status: string
}

interface ArrivalsOptions<Found extends Item> {
  list: PagedList<Found>
  /** The first page. */
  load(signal: AbortSignal): Promise<Page<Found>>
  loadOne(item: Found, signal: AbortSignal): Promise<Found>
}

export interface Arrivals {
  /** How many items are newer than those that are shown. */
  count: number
  /** Shows them. */
  show(): void
}

const everyMs = 3_000
const mostAtOnce = 20
const isUnfinished = ({ status }: Item) => status === 'queued' || status === 'rendering'

/** Looks every few seconds for newer items, which are counted and not shown, and for changes of those that are shown. */
export function useArrivals<Found extends Item>({ list, load, loadOne }: ArrivalsOptions<Found>): Arrivals {
  const arrived = useSignal<readonly Found[]>([])
  const latest = useRef({ load, loadOne })
  latest.current = { load, loadOne }
  useEffect(() => {
    arrived.value = []
    const abort = new AbortController()
    const look = async () => {
      const isIdle = list.state.peek() === 'more' || list.state.peek() === 'complete'
      if (document.hidden || connection.peek() === 'lost' || !isIdle) return
      const { data } = await latest.current.load(abort.signal)
      const shown = list.items.peek()
      if (shown.length === 0) return data.length > 0 ? list.reload() : undefined
      const [newest] = shown
      const known = new Set(shown.map(({ id }) => id))
      arrived.value = data.filter(({ id }) => !known.has(id) && id > (newest?.id ?? ''))
      const found = new Map(data.map((item) => [item.id, item]))
      // A filter by status does not find those any more that have changed.
      const changed = shown.filter((item) => isUnfinished(item) && !found.has(item.id)).slice(0, mostAtOnce)
      for (const item of changed) found.set(item.id, await latest.current.loadOne(item, abort.signal))
      if (shown.some((item) => isOther(item, found.get(item.id)))) {
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
      else list.update((items) => [...fresh, ...items])
    },
  }
}

function isOther<Found extends Item>(shown: Found, found: Found | undefined): boolean {
  return found !== undefined && found.status !== shown.status
}
