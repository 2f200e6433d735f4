import { apiUrl } from './client.ts'
import { connectionLost } from './connection.ts'

export interface Following {
  /** Path and query of a stream of server-sent events: `/v1/batches/bat_…/events`. */
  path: string
  query?: Record<string, string | number | undefined>
  /** The names of the events. Default: `message`. */
  events?: readonly string[]
  onEvent(event: { name: string; id: string; data: unknown }): void
  /** `open` is called again after each reconnection: what was sent in between may be missing. */
  onState?(state: 'open' | 'lost'): void
  signal: AbortSignal
}

const [firstRetryMs, longestRetryMs] = [1_000, 15_000]

/** Reads server-sent events until the signal aborts. A lost connection is opened again; so is one that the server refuses. */
export function follow({ path, query, events = ['message'], onEvent, onState, signal }: Following): void {
  let delayMs = firstRetryMs
  let source: EventSource | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  const open = () => {
    const opened = new EventSource(apiUrl(path, query))
    source = opened
    opened.onopen = () => {
      delayMs = firstRetryMs
      onState?.('open')
    }
    opened.onerror = () => {
      onState?.('lost')
      connectionLost()
      // A browser opens a connection again that was lost, but not one that was refused.
      if (opened.readyState !== EventSource.CLOSED) return
      timer = setTimeout(open, delayMs)
      delayMs = Math.min(2 * delayMs, longestRetryMs)
    }
    for (const name of events) {
      opened.addEventListener(name, ({ data, lastEventId }: MessageEvent<string>) =>
        onEvent({ name, id: lastEventId, data: parsed(data) }),
      )
    }
  }
  signal.addEventListener('abort', () => {
    clearTimeout(timer)
    source?.close()
  })
  if (!signal.aborted) open()
}

function parsed(data: string): unknown {
  try {
    return JSON.parse(data)
  } catch {
    return data
  }
}
