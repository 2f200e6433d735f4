import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js'
import { status } from '@grpc/grpc-js'
import { failure } from './append.ts'
import type { EventLog, LoggedEvent } from './event-log.ts'
import {
  caughtUpResponse,
  checkpointResponse,
  confirmationResponse,
  eventResponse,
  type ReadCall,
  send,
} from './responses.ts'

/** The server's value for an unknown position. */
const unknownPosition = 2n ** 64n - 1n

/** The number of events between two checkpoints, unless the filter sets it. */
const searchWindow = 32
/** A live reader that is further behind falls back to catching up and receives `caughtUp` again. */
const liveBuffer = 32

const tooSlow = 'Operation timed out: Consumer too slow to handle event while live. Client resubscription required.'

export interface Subscription {
  call: ReadCall
  options: ReadReq.Options
  log: EventLog
  continues: () => boolean
  /** The backlog that a live reader may have before it is dropped. */
  maxBacklog: () => number
  gone: AbortSignal
}

/** $all after a position: history, a checkpoint, `caughtUp`, then new events. Checkpoints come only with a filter. */
export async function serveSubscription({
  call,
  options,
  log,
  continues,
  maxBacklog,
  gone,
}: Subscription): Promise<void> {
  const filter = options.getFilter()
  const matches = filter ? matcherOf(filter) : () => true
  const interval = (filter?.getMax() || searchWindow) * (filter?.getCheckpointintervalmultiplier() || 1)
  let index = startOf(options, log)
  let considered = 0
  let matched = 0
  // A subscription from the end is live at once, without a checkpoint.
  let isBehind = index < log.events.length
  await send(call, confirmationResponse(), gone)
  if (!isBehind) await send(call, caughtUpResponse(), gone)
  while (!gone.aborted) {
    for (let event = log.at(index); event; event = log.at(++index)) {
      if (event.isScavenged) continue
      if (matches(event)) {
        matched++
        await send(call, eventResponse(event), gone)
        if (!continues()) throw failure(status.ABORTED, tooSlow)
      }
      if (filter && ++considered % interval === 0) await send(call, checkpointResponse(event.position), gone)
    }
    const last = log.at(index - 1)
    if (isBehind && last) {
      // EventStoreDB 24.10.0 to 24.10.4 does so if no event matches.
      if (filter && matched === 0) await send(call, checkpointResponse(unknownPosition), gone)
      if (filter) await send(call, checkpointResponse(last.position), gone)
      await send(call, caughtUpResponse(), gone)
    }
    await log.grown(index, gone)
    const backlog = log.events.length - index
    if (backlog > maxBacklog()) throw failure(status.ABORTED, tooSlow)
    isBehind = backlog > liveBuffer
  }
}

/** The index of the first event after the position. Throws if there is no event at the position. */
function startOf(options: ReadReq.Options, { events }: EventLog): number {
  const start = options.getAll()
  if (start?.hasStart()) return 0
  const given = start?.getPosition()
  if (!given) return events.length
  const position = BigInt(given.getCommitPosition())
  const index = events.findLastIndex((event) => event.position <= position)
  const last = events.at(-1)
  const isBeyondEnd = last !== undefined && position > last.position
  if (!isBeyondEnd && events[index]?.position !== position) {
    throw noPosition()
  }
  return index + 1
}

/** The server's answer to a position between two records, or of another log. */
export function noPosition() {
  return failure(status.UNKNOWN, 'Exception was thrown by handler.')
}

function matcherOf(filter: ReadReq.Options.FilterOptions): (event: LoggedEvent) => boolean {
  const onType = filter.hasEventType()
  const expression = onType ? filter.getEventType() : filter.getStreamIdentifier()
  const textOf = (event: LoggedEvent) => (onType ? event.type : event.stream)
  if (expression?.getRegex()) {
    const regex = new RegExp(expression.getRegex())
    return (event) => regex.test(textOf(event))
  }
  const prefixes = expression?.getPrefixList() ?? []
  return (event) => prefixes.some((prefix) => textOf(event).startsWith(prefix))
}
