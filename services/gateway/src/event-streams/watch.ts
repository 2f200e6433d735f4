import { sleep } from '@platen/foundation/runtime/sleep.ts'

/** Proxies close a connection without traffic, most of them after a minute. */
export const aliveEveryMs = 15_000
export const aliveComment = ': alive\n\n'

export interface ServerEvent {
  name: string
  /** One line of JSON. */
  data: string
  /** An event with the same one as the event before is not sent. Default: the data. */
  state?: string
  /** The response ends after it. */
  isLast?: boolean
}

export interface WatchOptions {
  first: ServerEvent
  /** While it rejects there is no event. */
  read: () => Promise<ServerEvent>
  everyMs: number
  signal: AbortSignal
}

/** Looks again and again, and yields what has changed as server-sent events. */
export async function* watch({ first, read, everyMs, signal }: WatchOptions): AsyncGenerator<string> {
  let sent: string | undefined
  let sentAt = 0
  for (let event = first; !signal.aborted; ) {
    const { name, data, state = data, isLast = false } = event
    if (state !== sent) {
      sent = state
      sentAt = performance.now()
      yield `event: ${name}\ndata: ${data}\n\n`
    }
    if (isLast) return
    if (performance.now() - sentAt >= aliveEveryMs) {
      sentAt = performance.now()
      yield aliveComment
    }
    await sleep(everyMs, signal)
    event = await read().catch(() => event)
  }
}
