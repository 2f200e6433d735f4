import type { EventStoreDBClient, Position as LogPosition } from '@eventstore/db-client'
import { type Position, type ReadOptions, type StoredEvent, StoreUnavailable } from '../../event-store.ts'
import { categoryOf } from '../../stream-name.ts'
import { decodeEvent, decodePosition, isKnownPosition, isSame, type RecordedEvent } from './codec.ts'
import { isUnknownStream, readError } from './errors.ts'
import { type ObjectStream, StreamedObjects } from './streamed-objects.ts'
import type { Credentials } from './url.ts'

export interface Read extends ReadOptions {
  client: EventStoreDBClient
  credentials: Credentials
  stream: string
  /** How long to wait for more events before the read fails. */
  idleMs: number
}

/** A read of the client. */
type ReadingOf<Element> = ObjectStream<Element> & { cancel(): Promise<void> }

const never = new AbortController().signal

export async function* readEvents(read: Read): AsyncGenerator<StoredEvent> {
  const { stream, idleMs, backwards = false, from = backwards ? 'end' : 'start', limit, signal = never } = read
  signal.throwIfAborted()
  if (limit === 0 || (from === 'end' && !backwards)) return
  const reading: ReadingOf<{ event?: RecordedEvent }> = read.client.readStream(stream, {
    credentials: read.credentials,
    direction: backwards ? 'backwards' : 'forwards',
    fromRevision: from === 'start' ? 0n : from === 'end' ? 'end' : BigInt(from),
    ...(limit !== undefined && Number.isFinite(limit) && { maxCount: limit }),
  })
  try {
    for await (const { event } of answersOf(reading, { idleMs, signal })) if (event) yield decodeEvent(event)
  } catch (err) {
    if (!isUnknownStream(err)) throw err
  }
}

export interface LogRead extends Omit<Read, 'stream' | 'signal'> {
  after: Position | 'start'
  categories: readonly string[]
  signal: AbortSignal
}

const pageEvents = 500

type Resolved = { event?: RecordedEvent; link?: RecordedEvent }

/** Reads in pages, which end by themselves: servers close the connection of a client that cancels many reads. */
export async function* readLog({
  client,
  credentials,
  after,
  categories,
  ...limits
}: LogRead): AsyncGenerator<StoredEvent> {
  let from: LogPosition | 'start' = after === 'start' ? 'start' : decodePosition(after)
  for (let isLast = false; !isLast; ) {
    const skipped: LogPosition | 'start' = from
    const reading: ReadingOf<Resolved> = client.readAll({ credentials, fromPosition: from, maxCount: pageEvents })
    let read = 0
    for await (const { event, link } of answersOf(reading, limits)) {
      read++
      const recorded = link ?? event
      const position = recorded?.position
      // A read starts at the position, not after it.
      if (!recorded || !isKnownPosition(position) || isSame(position, skipped)) continue
      from = position
      if (categories.includes(categoryOf(recorded.streamId))) yield decodeEvent(recorded)
    }
    isLast = read < pageEvents
  }
}

/** The objects of a read, until it ends. Throws StoreUnavailable when nothing arrives for a while. */
async function* answersOf<Element>(
  reading: ReadingOf<Element>,
  { idleMs, signal }: Pick<LogRead, 'idleMs' | 'signal'>,
): AsyncGenerator<Element> {
  const objects = new StreamedObjects<Element>(reading)
  try {
    while (!objects.ended) {
      for (let next = take(objects); next; next = take(objects)) {
        // Throw: a read that ended early would look like the whole stream.
        signal.throwIfAborted()
        yield next
      }
      signal.throwIfAborted()
      if (!(await objects.wait(idleMs, signal))) throw new StoreUnavailable('The event store does not answer')
    }
  } finally {
    reading.cancel().catch(() => {})
  }
}

/** Converts errors of the server and the connection only. Errors thrown by the consumer pass unchanged. */
function take<Element>(objects: StreamedObjects<Element>): Element | undefined {
  try {
    return objects.take()
  } catch (err) {
    throw isUnknownStream(err) ? err : readError(err)
  }
}
