import type { EventStore, Position } from '@platen/event-store/event-store.ts'
import { stringifyExact } from '@platen/foundation/json/exact-json.ts'
import { sleep } from '@platen/foundation/runtime/sleep.ts'
import { aliveComment, aliveEveryMs } from '../event-streams/watch.ts'
import { eventBody } from './event-body.ts'
import { type LogFilter, matches } from './search-log.ts'

export interface FollowEvents {
  filter: LogFilter
  /** Exclusive. */
  after: Position | 'start'
  signal: AbortSignal
  /** The longest time without a byte. */
  aliveMs?: number | undefined
}

const alive = Symbol('alive')

/** The events that the filter selects, as server-sent events, until the signal aborts. */
export async function* followEvents(
  store: Pick<EventStore, 'subscribe'>,
  { filter, after, signal, aliveMs = aliveEveryMs }: FollowEvents,
): AsyncGenerator<string> {
  // The client sees at once that it is connected.
  yield ': following\n\n'
  let sentAt = performance.now()
  const ended = new AbortController()
  const until = AbortSignal.any([signal, ended.signal])
  const items = store.subscribe({ after, categories: filter.categories, signal: until })[Symbol.asyncIterator]()
  const read = () => {
    const next = items.next()
    // Nobody waits for it once the client has gone.
    next.catch(() => {})
    return next
  }
  try {
    let next = read()
    while (!signal.aborted) {
      const waited = new AbortController()
      // Counted from the last byte: events that the filter does not select are not sent.
      const restMs = Math.max(0, sentAt + aliveMs - performance.now())
      const item = await Promise.race([next, sleep(restMs, waited.signal).then(() => alive)])
      waited.abort()
      if (item === alive) {
        yield aliveComment
        sentAt = performance.now()
        continue
      }
      const { done, value } = item as Awaited<typeof next>
      if (done) return
      next = read()
      if (value.kind === 'event' && matches(value.event, filter)) {
        // Data may have integers that only `stringifyExact` writes.
        yield `id: ${value.event.position}\nevent: event\ndata: ${stringifyExact(eventBody(value.event))}\n\n`
        sentAt = performance.now()
      } else if (performance.now() - sentAt >= aliveMs) {
        yield aliveComment
        sentAt = performance.now()
      }
    }
  } finally {
    ended.abort()
  }
}
