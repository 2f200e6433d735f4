import type { EventStoreDBClient, Position as LogPosition } from '@eventstore/db-client'
import { type ReadOptions, type StoredEvent, StoreUnavailable } from '../../event-store.ts'
import { categoryOf } from '../../stream-name.ts'
import { type Anchor, decodeEvent, isKnownPosition, isSame, type RecordedEvent } from './codec.ts'
import { isUnknownStream, readError } from './errors.ts'
import { requiresLeader } from './leader.ts'
import type { LeaderClient } from './leader-client.ts'
import { type ObjectStream, StreamedObjects } from './streamed-objects.ts'
import type { Credentials } from './url.ts'

export interface Read extends ReadOptions {
  leader: LeaderClient
  credentials: Credentials
  /** Part of positions. */
  epoch: string
  stream: string
  /** How long to wait for more events before the read fails. */
  idleMs: number
}

/** Begins a read of the client. */
type Begin<Element> = (client: EventStoreDBClient) => ObjectStream<Element> & { cancel(): Promise<void> }

const never = new AbortController().signal

/**
 * Reads a stream. A read back from a revision usually follows an append. A leader that was suspended and deposed may
 * lack the event, so that the leader is confirmed before the answer is "none".
 */
export async function* readEvents(read: Read): AsyncGenerator<StoredEvent> {
  const { leader, backwards, from } = read
  const wanted = leader.mayBeDeposed && backwards && typeof from === 'number' ? from : undefined
  let isReached = wanted === undefined
  for await (const event of readOnce(read)) {
    isReached ||= event.revision === wanted
    if (!isReached) break
    yield event
  }
  if (isReached || read.limit === 0) return
  leader.doubt()
  yield* readOnce(read)
}

async function* readOnce(read: Read): AsyncGenerator<StoredEvent> {
  const { stream, leader, idleMs, backwards = false, from = backwards ? 'end' : 'start', limit, signal = never } = read
  signal.throwIfAborted()
  if (limit === 0 || (from === 'end' && !backwards)) return
  const begin: Begin<{ event?: RecordedEvent }> = (client) =>
    client.readStream(stream, {
      credentials: read.credentials,
      requiresLeader,
      direction: backwards ? 'backwards' : 'forwards',
      fromRevision: from === 'start' ? 0n : from === 'end' ? 'end' : BigInt(from),
      ...(limit !== undefined && Number.isFinite(limit) && { maxCount: limit }),
    })
  try {
    for await (const { event } of answersOf(begin, { leader, idleMs, signal }))
      if (event) yield { ...decodeEvent(event, read.epoch), ...(read.withoutData && { data: null }) }
  } catch (err) {
    if (!isUnknownStream(err)) throw err
  }
}

export interface LogRead extends Omit<Read, 'stream' | 'signal'> {
  after: LogPosition | 'start'
  categories: readonly string[]
  signal: AbortSignal
}

/** Each page costs a round trip, so that they grow: most reads need a few events, and some the whole log. */
const pages = { firstEvents: 500, maxEvents: 16_000 }

type Resolved = { event?: RecordedEvent; link?: RecordedEvent }

/** Reads in pages, which end by themselves: servers close the connection of a client that cancels many reads. */
export async function* readLog({
  credentials,
  epoch,
  after,
  categories,
  ...limits
}: LogRead): AsyncGenerator<StoredEvent> {
  let from = after
  for (
    let isLast = false, pageEvents = pages.firstEvents;
    !isLast;
    pageEvents = Math.min(2 * pageEvents, pages.maxEvents)
  ) {
    const skipped: LogPosition | 'start' = from
    const page = { credentials, requiresLeader, fromPosition: from, maxCount: pageEvents }
    const begin: Begin<Resolved> = (client) => client.readAll(page)
    let read = 0
    for await (const { event, link } of answersOf(begin, limits)) {
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

type LogEdge = Pick<LogRead, 'leader' | 'credentials' | 'idleMs' | 'signal'>

/** The position of the last event of the log, which may be one of the server's own. */
export async function endOfLog({ credentials, ...limits }: LogEdge): Promise<LogPosition | 'start'> {
  const last = await firstOf(
    (client) =>
      client.readAll({ credentials, requiresLeader, direction: 'backwards', fromPosition: 'end', maxCount: 1 }),
    limits,
  )
  return last?.position ?? 'start'
}

/** The first event from a position on. Throws StoreUnavailable, also if no event is at the position. */
export async function readAnchor(
  { credentials, ...limits }: LogEdge,
  fromPosition: LogPosition,
): Promise<Anchor | undefined> {
  return firstOf((client) => client.readAll({ credentials, requiresLeader, fromPosition, maxCount: 1 }), limits)
}

async function firstOf(begin: Begin<Resolved>, limits: Omit<LogEdge, 'credentials'>): Promise<Anchor | undefined> {
  let first: Anchor | undefined
  for await (const { event, link } of answersOf(begin, limits)) {
    const recorded = link ?? event
    if (recorded && isKnownPosition(recorded.position)) first ??= { position: recorded.position, id: recorded.id }
  }
  return first
}

/**
 * The objects of a read, until it ends. The last one comes when the read has ended: who takes no more than that cancels nothing.
 * Throws StoreUnavailable when nothing arrives for a while.
 */
async function* answersOf<Element>(
  begin: Begin<Element>,
  { leader, idleMs, signal }: Omit<LogEdge, 'credentials'>,
): AsyncGenerator<Element> {
  const client = await leader.get(idleMs, signal)
  const reading = begin(client)
  const objects = new StreamedObjects<Element>(reading)
  const next = () => {
    try {
      return take(objects)
    } catch (err) {
      if (err instanceof StoreUnavailable) leader.doubt(client)
      throw err
    }
  }
  let last: Element | undefined
  try {
    while (!objects.ended) {
      for (let object = next(); object; object = next()) {
        // Throw: a read that ended early would look like the whole stream.
        signal.throwIfAborted()
        if (last) yield last
        last = object
      }
      signal.throwIfAborted()
      if (await objects.wait(idleMs, signal)) continue
      leader.doubt(client)
      throw new StoreUnavailable('The event store does not answer')
    }
    leader.answered(client)
    if (last) yield last
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
