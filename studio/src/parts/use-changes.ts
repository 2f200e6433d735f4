import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { follow } from '../api/follow.ts'
import { mayUse } from '../api/session-state.ts'
import { actingOwner } from '../router/acting-owner.ts'

interface ChangesOptions {
  /** Of the streams whose events are changes of what is shown. Undefined: nothing is followed. */
  category: 'generation' | 'delivery' | undefined
  /** The stream that is shown alone, such as `generation-pdf_…`. */
  stream?: string | undefined
  onChange(): void
}

/** Many changes at once are one, and a busy server is asked once a second. */
const [atOnceMs, mostOftenMs] = [150, 1_000]

/**
 * Calls `onChange` soon after something has been recorded, as server-sent events tell: the log for a key with the scope `admin`, else
 * the status of the owner, which changes with each generation. Returns whether they arrive. If not, what shows them has to ask.
 */
export function useChanges({ category, stream, onChange }: ChangesOptions): boolean {
  const isLive = useSignal(false)
  const latest = useRef(onChange)
  latest.current = onChange
  const owner = actingOwner.value
  useEffect(() => {
    const source = sourceOf(category)
    if (source === undefined) return
    const ended = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    let calledAt = 0
    const call = () => {
      timer = undefined
      calledAt = Date.now()
      latest.current()
    }
    follow({
      ...source,
      isCurrent: true,
      signal: ended.signal,
      onState: (state) => {
        isLive.value = state === 'open'
        // What was recorded before is not sent again.
        if (state === 'open') timer ??= setTimeout(call, 0)
      },
      onEvent: ({ data }) => {
        if (stream !== undefined && streamOf(data) !== stream) return
        timer ??= setTimeout(call, Math.max(atOnceMs, calledAt + mostOftenMs - Date.now()))
      },
    })
    return () => {
      ended.abort()
      clearTimeout(timer)
      isLive.value = false
    }
  }, [category, stream, owner])
  return isLive.value
}

function sourceOf(category: ChangesOptions['category']) {
  if (category === undefined) return undefined
  if (mayUse('admin')) return { path: '/v1/events/follow', query: { category }, events: ['event'] }
  return category === 'generation' ? { path: '/v1/status/events', events: ['status'] } : undefined
}

/** A status is of no stream. */
function streamOf(data: unknown): string | undefined {
  return (data as { stream?: string }).stream
}
