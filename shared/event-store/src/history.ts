import { defined } from '@platen/foundation/json/defined.ts'
import type { EventStore, Position, ReadOptions, StoredEvent } from './event-store.ts'

export interface HistoryOptions {
  categories?: readonly string[]
  /** Exclusive. Default: the start of the log. */
  after?: Position | 'start'
  /** Continue with new events until the signal aborts. */
  follow?: boolean
  signal?: AbortSignal
}

/** All recorded events, oldest first. */
export async function* history(
  store: EventStore,
  { categories, after = 'start', follow = false, signal }: HistoryOptions,
): AsyncIterable<StoredEvent> {
  const end = new AbortController()
  const until = signal ? AbortSignal.any([signal, end.signal]) : end.signal
  try {
    for await (const item of store.subscribe({ after, ...defined({ categories }), signal: until })) {
      if (item.kind === 'event') yield item.event
      if (item.kind === 'caughtUp' && !follow) return
      if (item.kind === 'lost' && !follow) throw item.cause
    }
  } finally {
    end.abort()
  }
}

/** The events of a stream, from its first; none if it does not exist. */
export async function readWhole(
  store: Pick<EventStore, 'readStream'>,
  stream: string,
  options: Pick<ReadOptions, 'withoutArchive'> = {},
): Promise<StoredEvent[]> {
  const events: StoredEvent[] = []
  for await (const event of store.readStream(stream, options)) events.push(event)
  return events
}

/** The newest events of a stream, oldest first; all of them without `most`. */
export async function readNewest(
  store: Pick<EventStore, 'readStream'>,
  stream: string,
  most: number | undefined,
): Promise<StoredEvent[]> {
  if (most === undefined) return readWhole(store, stream)
  const events: StoredEvent[] = []
  for await (const event of store.readStream(stream, { backwards: true, limit: most })) events.push(event)
  return events.reverse()
}
