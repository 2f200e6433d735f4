import type { EventStoreDBClient, Position as LogPosition } from '@eventstore/db-client'
import { type Position, type ReadOptions, type StoredEvent, StoreUnavailable } from '../../event-store.ts'
import { categoryOf } from '../../stream-name.ts'
import { type Anchor, decodeEvent, decodePosition, isKnownPosition, isSame, type RecordedEvent } from './codec.ts'
import { isUnknownStream, readError } from './errors.ts'
import { requiresLeader } from './leader.ts'
import { type ObjectStream, StreamedObjects } from './streamed-objects.ts'
import type { Credentials } from './url.ts'

export interface Read extends ReadOptions {
  client: EventStoreDBClient
  credentials: Credentials
  /** Part of positions. */
  epoch: string
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
    requiresLeader,
    direction: backwards ? 'backwards' : 'forwards',
    fromRevision: from === 'start' ? 0n : from === 'end' ? 'end' : BigInt(from),
    ...(limit !== undefined && Number.isFinite(limit) && { maxCount: limit }),
  })
  try {
    for await (const { event } of answersOf(reading, { idleMs, signal }))
      if (event) yield decodeEvent(event, read.epoch)
  } catch (err) {
    if (!isUnknownStream(err)) throw err
  }
}

export interface LogRead extends Omit<Read, 'stream' | 'signal'> {
  after: Position | 'start'
  categories: readonly string[]
  signal: AbortSignal
}

/** Each page costs a round trip, so that they grow: most reads need a few events, and some the whole log. */
const pages = { firstEvents: 500, maxEvents: 16_000 }

type Resolved = { event?: RecordedEvent; link?: RecordedEvent }

/** Reads in pages, which end by themselves: servers close the connection of a client that cancels many reads. */
export async function* readLog({
  client,
  credentials,
  epoch,
  after,
  categories,
  ...limits
}: LogRead): AsyncGenerator<StoredEvent> {
  let from: LogPosition | 'start' = after === 'start' ? 'start' : decodePosition(after, epoch).position
  for (
    let isLast = false, pageEvents = pages.firstEvents;
    !isLast;
    pageEvents = Math.min(2 * pageEvents, pages.maxEvents)
  ) {
    const skipped: LogPosition | 'start' = from
    const reading: ReadingOf<Resolved> = client.readAll({
      credentials,
      requiresLeader,
      fromPosition: from,
      maxCount: pageEvents,
    })
    let read = 0
    for await (const { event, link } of answersOf(reading, limits)) {
      read++
      const recorded = link ?? event
      const position = recorded?.position
      // A read starts at the position, not after it.
      if (!recorded || !isKnownPosition(position) || isSame(position, skipped)) continue
      from = position
      if (categories.includes(categoryOf(recorded.streamId))) yield decodeEvent(recorded, epoch)
    }
    isLast = read < pageEvents
  }
}

type LogEdge = Pick<LogRead, 'client' | 'credentials' | 'idleMs' | 'signal'>

/** The position of the last event of the log, which may be one of the server's own. */
export async function endOfLog({ client, credentials, ...limits }: LogEdge): Promise<LogPosition | 'start'> {
  const last = await firstOf(
    client.readAll({ credentials, requiresLeader, direction: 'backwards', fromPosition: 'end', maxCount: 1 }),
    limits,
  )
  return last?.position ?? 'start'
}

/** The first event from a position on. Throws StoreUnavailable, also if there is nothing at the position. */
export async function readAnchor(
  { client, credentials, ...limits }: LogEdge,
  fromPosition: LogPosition,
): Promise<Anchor | undefined> {
  return firstOf(client.readAll({ credentials, requiresLeader, fromPosition, maxCount: 1 }), limits)
}

async function firstOf(
  reading: ReadingOf<Resolved>,
  limits: Pick<LogRead, 'idleMs' | 'signal'>,
): Promise<Anchor | undefined> {
  let first: Anchor | undefined
  for await (const { event, link } of answersOf(reading, limits)) {
    const recorded = link ?? event
    if (recorded && isKnownPosition(recorded.position)) first ??= { position: recorded.position, id: recorded.id }
  }
  return first
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
