import { api, apiUrl } from './client.ts'
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
  /** For a stream that begins with what is current: a window that nobody sees lets go of its connection, of which a browser has six. */
  isCurrent?: boolean
  signal: AbortSignal
}

const [firstRetryMs, longestRetryMs] = [1_000, 15_000]

/** Reads server-sent events until the signal aborts. A lost connection is opened again; so is one that the server refuses. */
export function follow(following: Following): void {
  const { path, query, events = ['message'], onEvent, onState, isCurrent = false, signal } = following
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
      // A browser opens a connection again that was lost, but not one that was refused.
      if (opened.readyState !== EventSource.CLOSED) return connectionLost()
      // Another request is told if the session has ended.
      void api.GET('/v1/session').catch(() => {})
      timer = setTimeout(open, delayMs)
      delayMs = Math.min(2 * delayMs, longestRetryMs)
    }
    for (const name of events) {
      opened.addEventListener(name, ({ data, lastEventId }: MessageEvent<string>) =>
        onEvent({ name, id: lastEventId, data: parsed(data) }),
      )
    }
  }
  const close = () => {
    clearTimeout(timer)
    source?.close()
  }
  const look = () => {
    close()
    if (!document.hidden) open()
  }
  signal.addEventListener('abort', () => {
    close()
    document.removeEventListener('visibilitychange', look)
  })
  if (signal.aborted) return
  if (isCurrent) document.addEventListener('visibilitychange', look)
  if (!isCurrent || !document.hidden) open()
}

function parsed(data: string): unknown {
  try {
    return JSON.parse(data)
  } catch {
    return data
  }
}
