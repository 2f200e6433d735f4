import { randomUUID } from 'node:crypto'
import type { EventStore, NewEvent } from '@platen/event-store/event-store.ts'
import type { Json } from '@platen/foundation/json/json.ts'

/** Bytes of JSON of an append. */
const appendBytes = 500_000

/** Appends events to a stream that has `from` of them, until it has `length`. */
export async function fill(
  store: EventStore,
  stream: string,
  length: number,
  eventOf: (revision: number) => { type: string; data: unknown },
  from = 0,
): Promise<void> {
  let recorded = from
  for (let bytes = 0, events: NewEvent[] = [], next = from; next < length; ) {
    const { type, data } = eventOf(next++)
    events.push({ id: randomUUID(), type, data: data as Json, metadata: { time: '2026-01-31T12:00:00.000Z' } })
    bytes += JSON.stringify(data).length + 200
    const [first, ...rest] = events
    if (!first || (bytes < appendBytes && next < length)) continue
    await store.append(stream, [first, ...rest], recorded === 0 ? 'none' : recorded - 1)
    recorded = next
    events = []
    bytes = 0
  }
}
