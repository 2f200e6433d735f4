import { useSignal } from '@preact/signals'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { follow } from '../../api/follow.ts'
import { type PagedList, pagedList } from '../../api/paged-list.ts'
import type { RecordedEvent } from './event-columns.tsx'
import { eventName } from './event-filter.ts'

export interface NewEvents {
  list: PagedList<RecordedEvent>
  state: 'connecting' | 'open' | 'lost'
  isPaused: boolean
  /** How many have come since the pause. */
  waiting: number
  pause(): void
  resume(): void
}

/** Older ones than so many are left out. */
const mostKept = 500
/** Many may come at once: they are drawn together. */
const drawAfterMs = 150

/** The events that are recorded from now on, newest first. Another query begins anew. */
export function useNewEvents(query: Record<string, string>): NewEvents {
  const key = JSON.stringify(query)
  const list = useMemo(() => pagedList<RecordedEvent>(async () => ({ data: [] }), eventName), [key])
  const state = useSignal<NewEvents['state']>('connecting')
  const isPaused = useSignal(false)
  const waiting = useSignal(0)
  const held = useRef<RecordedEvent[]>([])
  const draw = () => {
    const fresh = held.current.toReversed()
    held.current = []
    waiting.value = 0
    if (fresh.length > 0) list.update((items) => [...fresh, ...items].slice(0, mostKept))
  }
  useEffect(() => {
    const abort = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    held.current = []
    waiting.value = 0
    isPaused.value = false
    state.value = 'connecting'
    void list.loadMore()
    follow({
      path: '/v1/events/follow',
      query,
      events: ['event'],
      signal: abort.signal,
      onState: (found) => {
        state.value = found
      },
      onEvent: ({ data }) => {
        held.current = [...held.current, data as RecordedEvent].slice(-mostKept)
        if (isPaused.peek()) {
          waiting.value = held.current.length
          return
        }
        timer ??= setTimeout(() => {
          timer = undefined
          if (!isPaused.peek()) draw()
        }, drawAfterMs)
      },
    })
    return () => {
      abort.abort()
      clearTimeout(timer)
      list.stop()
    }
  }, [key])
  return {
    list,
    state: state.value,
    isPaused: isPaused.value,
    waiting: waiting.value,
    pause() {
      isPaused.value = true
    },
    resume() {
      isPaused.value = false
      draw()
    },
  }
}
