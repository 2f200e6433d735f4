import type { EventStoreDBClient } from '@eventstore/db-client'
import { type ReadOptions, type StoredEvent, StoreUnavailable } from '../../event-store.ts'
import { decodeEvent, type RecordedEvent } from './codec.ts'
import { isUnknownStream, readError } from './errors.ts'
import { StreamedObjects } from './streamed-objects.ts'
import type { Credentials } from './url.ts'

export interface Read extends ReadOptions {
  client: EventStoreDBClient
  credentials: Credentials
  stream: string
  /** How long to wait for more events before the read fails. */
  idleMs: number
}

const never = new AbortController().signal

export async function* readEvents(read: Read): AsyncGenerator<StoredEvent> {
  const { stream, idleMs, backwards = false, from = backwards ? 'end' : 'start', limit, signal = never } = read
  signal.throwIfAborted()
  if (limit === 0 || (from === 'end' && !backwards)) return
  const reading = read.client.readStream(stream, {
    credentials: read.credentials,
    direction: backwards ? 'backwards' : 'forwards',
    fromRevision: from === 'start' ? 0n : from === 'end' ? 'end' : BigInt(from),
    ...(limit !== undefined && Number.isFinite(limit) && { maxCount: limit }),
  })
  const objects = new StreamedObjects<{ event?: RecordedEvent }>(reading)
  try {
    while (!objects.ended) {
      for (let next = take(objects); next; next = take(objects)) {
        // Throw: a read that ended early would look like the whole stream.
        signal.throwIfAborted()
        if (next.event) yield decodeEvent(next.event)
      }
      signal.throwIfAborted()
      if (!(await objects.wait(idleMs, signal))) throw new StoreUnavailable('The event store does not answer')
    }
  } catch (err) {
    if (!isUnknownStream(err)) throw err
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
