import type { ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb.js'
import { type handleServerStreamingCall, type Metadata, status } from '@grpc/grpc-js'
import { failure, streamDeleted, streamNameOf } from './append.ts'
import type { EventLog, LoggedEvent } from './event-log.ts'
import { eventResponse, notFoundResponse, type ReadCall, send } from './responses.ts'
import { noPosition, serveSubscription } from './subscription.ts'

export interface ReadHandling {
  log: EventLog
  /** Called before each read, without a stream for the whole log. Throws the server's refusal. Returns how many events the node knows. */
  admit: (metadata: Metadata, stream: string | undefined) => number
  /** The backlog that a live reader may have before it is dropped. */
  maxBacklog: () => number
  /** Called after each event of a subscription. False cuts the subscription. */
  continues: () => boolean
}

const backwards = 1

/** Reads of streams and $all in both directions, and subscriptions to $all. */
export function readHandler({ log, admit, maxBacklog, continues }: ReadHandling) {
  const handle: handleServerStreamingCall<ReadReq, ReadResp> = async (call) => {
    const gone = new AbortController()
    call.on('cancelled', () => gone.abort())
    call.on('close', () => gone.abort())
    call.on('error', () => gone.abort())
    try {
      const options = call.request.getOptions()
      if (!options) throw failure(status.INVALID_ARGUMENT, 'No options')
      const name = options.hasStream() ? streamNameOf(options.getStream()?.getStreamIdentifier()) : undefined
      const known = admit(call.metadata, name)
      const common = { call, options, log, gone: gone.signal }
      if (options.hasSubscription()) await serveSubscription({ ...common, continues, maxBacklog })
      else await serveRead(common, known)
      call.end()
    } catch (err) {
      if (!gone.signal.aborted) call.emit('error', err)
    }
  }
  return handle
}

interface Reading {
  call: ReadCall
  options: ReadReq.Options
  log: EventLog
  gone: AbortSignal
}

async function serveRead({ call, options, log, gone }: Reading, known: number): Promise<void> {
  const name = streamNameOf(options.getStream()?.getStreamIdentifier())
  if (options.hasStream() && log.isDeleted(name)) throw streamDeleted(name)
  const lastKnown = log.at(known - 1)?.position
  const isKnown = ({ position }: LoggedEvent) => lastKnown === undefined || position <= lastKnown
  const all = options.hasStream() ? log.stream(name) : log.left
  const events = all ?? []
  // A read of a long stream takes no longer, as with the real server.
  const length = events.findLastIndex(isKnown) + 1
  // A stream that was truncated to its end is found, and has no events.
  if (all === undefined || (all.length > 0 && length === 0)) return send(call, notFoundResponse(name), gone)
  const from = options.hasStream() ? streamStart(options) : logStart(options, log)
  const count = Number(options.getCount())
  for (const event of rangeOf(
    events.length === length ? events : events.slice(0, length),
    from,
    count,
    options.getReadDirection() === backwards,
  ))
    await send(call, eventResponse(event), gone)
}

function rangeOf(events: readonly LoggedEvent[], from: Bound, count: number, isBackwards: boolean): LoggedEvent[] {
  if (!isBackwards) {
    const start = from ? firstIndex(events, (event) => from(event) >= 0) : 0
    return events.slice(start, start + count)
  }
  const end = from ? firstIndex(events, (event) => from(event) > 0) : events.length
  return events.slice(Math.max(0, end - count), end).reverse()
}

/** The first event that is so, of which all later ones are so, too. */
function firstIndex(events: readonly LoggedEvent[], isSo: (event: LoggedEvent) => boolean): number {
  let [low, high] = [0, events.length]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const event = events[middle]
    if (event && isSo(event)) high = middle
    else low = middle + 1
  }
  return low
}

/** Compares an event with the start of the read: < 0 before, 0 at, > 0 after it. Undefined: no bound. */
type Bound = ((event: LoggedEvent) => number) | undefined

function streamStart(options: ReadReq.Options): Bound {
  const start = options.getStream()
  if (start?.hasRevision()) return ({ revision }) => revision - Number(start.getRevision())
  return boundOf(options, start)
}

/** Inclusive, unlike the start of a subscription. */
function logStart(options: ReadReq.Options, log: EventLog): Bound {
  const start = options.getAll()
  const position = start?.getPosition()
  if (position && isBetweenRecords(log, BigInt(position.getCommitPosition()))) throw noPosition()
  if (position) return (event) => Number(event.position - BigInt(position.getCommitPosition()))
  return boundOf(options, start)
}

function isBetweenRecords({ events }: EventLog, position: bigint): boolean {
  const last = events.at(-1)
  if (last === undefined || position > last.position) return false
  return !events.some((event) => event.position === position)
}

function boundOf(options: ReadReq.Options, start: { hasStart(): boolean; hasEnd(): boolean } | undefined): Bound {
  const isBackwards = options.getReadDirection() === backwards
  if (isBackwards && start?.hasStart()) return ({ revision }) => revision
  return !isBackwards && start?.hasEnd() ? () => -1 : undefined
}
