import { defined } from '@platen/foundation/json/defined.ts'
import { movedToArchive } from '../event-catalogue.ts'
import type { ReadOptions, StoredEvent } from '../event-store.ts'
import { movedEventsOf } from './moved-stream.ts'
import type { PartlyArchived } from './partly-archived.ts'

/**
 * Reads a stream with its events in the archive. That some are there only is seen by the event that says so: the one before it in
 * the stream is missing.
 */
export async function* readStreamWithArchive(
  log: PartlyArchived,
  stream: string,
  options: ReadOptions = {},
): AsyncGenerator<StoredEvent> {
  const { from, limit = Number.POSITIVE_INFINITY, backwards = false, withoutArchive = false } = options
  if (withoutArchive || limit === 0 || (from === 'end' && !backwards)) yield* log.store.readStream(stream, options)
  else if (backwards) yield* readBackwards(log, stream, { ...options, limit })
  else yield* readForwards(log, stream, { ...options, limit })
}

type Reading = ReadOptions & { limit: number }

async function* readForwards(log: PartlyArchived, stream: string, options: Reading): AsyncGenerator<StoredEvent> {
  let next = typeof options.from === 'number' ? options.from : 0
  let left = options.limit
  for await (const event of log.store.readStream(stream, options)) {
    const isGap = event.revision > next && event.type === movedToArchive
    for (const older of isGap ? await olderThan(log, event, options) : []) {
      if (older.revision < next) continue
      yield older
      if (--left === 0) return
    }
    next = event.revision + 1
    yield event
    if (--left === 0) return
  }
}

async function* readBackwards(log: PartlyArchived, stream: string, options: Reading): AsyncGenerator<StoredEvent> {
  let next = typeof options.from === 'number' ? options.from : undefined
  let left = options.limit
  for await (const event of log.store.readStream(stream, options)) {
    yield event
    if (--left === 0) return
    next = event.revision - 1
  }
  // All of the stream was read, or it does not exist.
  if (next === undefined || next < 0) return
  for await (const event of log.store.readStream(stream, { ...options, from: next, limit: 1, backwards: false })) {
    const isGap = event.revision > next && event.type === movedToArchive
    for (const older of isGap ? (await olderThan(log, event, options)).reverse() : []) {
      if (older.revision > next) continue
      yield older
      if (--left === 0) return
    }
  }
}

/** The events before the one that says that they were moved. */
async function olderThan(
  { store, archived }: PartlyArchived,
  event: StoredEvent,
  { withoutData = false, signal }: ReadOptions,
): Promise<StoredEvent[]> {
  let moved = withoutData ? undefined : movedEventsOf(event)
  // That one was read without the names of the segments.
  if (withoutData) {
    const again = store.readStream(event.stream, { from: event.revision, limit: 1, ...defined({ signal }) })
    for await (const whole of again) moved = movedEventsOf(whole)
  }
  const events = moved ? await archived.ofStream(event, moved, signal) : []
  signal?.throwIfAborted()
  return withoutData ? events.map((one) => ({ ...one, data: null })) : events
}
