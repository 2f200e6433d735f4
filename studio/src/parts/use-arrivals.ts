import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { connection } from '../api/connection.ts'
import type { Page, PagedList } from '../api/paged-list.ts'
import { useChanges } from './use-changes.ts'

interface Item {
  id: string
  status: string
  created_at: string
}

interface ArrivalsOptions<Found extends Item> {
  /** Of the streams of what is listed. */
  category: 'generation' | 'delivery'
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

/** Rows that are not on the first page are loaded one by one, and so not with each event. */
const singlyMs = 3_000
/** Without server-sent events, and with them: the time of the next attempt comes without an event. */
const [everyMs, whileLiveMs] = [3_000, 30_000]
const mostAtOnce = 20
/** Those of the first page are among so many that are shown. */
const mostCompared = 1_000

/**
 * Looks, when something was recorded, for newer items, which are counted and not shown, and for changes of those that are shown. Where
 * the API does not tell, it looks every few seconds.
 */
export function useArrivals<Found extends Item>(options: ArrivalsOptions<Found>): Arrivals {
  const { list } = options
  const arrived = useSignal<readonly Found[]>([])
  const latest = useRef(options)
  latest.current = options
  const lookNow = useRef<(() => void) | undefined>(undefined)
  const isLive = useChanges({ category: options.category, onChange: () => lookNow.current?.() })
  useEffect(() => {
    arrived.value = []
  }, [list])
  useEffect(() => {
    const abort = new AbortController()
    let singlyAt = Number.NEGATIVE_INFINITY
    /** Resolves to whether all was looked at. */
    const look = async () => {
      const isIdle = list.state.peek() === 'more' || list.state.peek() === 'complete'
      if (document.hidden || connection.peek() === 'lost' || !isIdle) return false
      const { load, loadOne, isUnfinished, stampOf } = latest.current
      const { data } = await load(abort.signal)
      const shown = list.items.peek()
      if (shown.length === 0) {
        if (data.length > 0) await list.reload()
        return true
      }
      const [newest] = shown
      const known = new Set(shown.slice(0, mostCompared).map(({ id }) => id))
      arrived.value = data.filter(({ id, created_at }) => !known.has(id) && created_at >= (newest?.created_at ?? ''))
      const found = new Map(data.map((item) => [item.id, item]))
      // A filter by status does not find those any more that have changed.
      const changed = shown.filter((item) => isUnfinished(item) && !found.has(item.id)).slice(0, mostAtOnce)
      const isSoon = changed.length > 0 && performance.now() - singlyAt < singlyMs
      if (!isSoon && changed.length > 0) {
        for (const item of changed) found.set(item.id, await loadOne(item, abort.signal))
        singlyAt = performance.now()
      }
      const hasChanged = (item: Found) => {
        const other = found.get(item.id)
        return other !== undefined && stampOf(item) !== stampOf(other)
      }
      if (shown.some(hasChanged)) {
        list.update((items) => items.map((item) => found.get(item.id) ?? item))
      }
      return !isSoon
    }
    let timer: ReturnType<typeof setTimeout>
    let isLooking = false
    let isChanged = false
    const lookAgain = () => {
      clearTimeout(timer)
      isChanged = isLooking
      if (isLooking) return
      isLooking = true
      // What cannot be loaded now is looked at the next time. A lost connection has a banner.
      void look()
        .catch(() => false)
        .then((hasLooked) => {
          isLooking = false
          if (abort.signal.aborted) return
          if (isChanged) lookAgain()
          else timer = setTimeout(lookAgain, isLive && hasLooked ? whileLiveMs : everyMs)
        })
    }
    lookNow.current = lookAgain
    timer = setTimeout(lookAgain, isLive ? whileLiveMs : everyMs)
    return () => {
      abort.abort()
      clearTimeout(timer)
      lookNow.current = undefined
    }
  }, [list, isLive])
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
