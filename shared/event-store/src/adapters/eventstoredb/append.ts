import type { AppendResult } from '@eventstore/db-client'
import { untilAborted } from '@platen/foundation/runtime/until-aborted.ts'
import { type Appended, type ExpectedRevision, type NewEvent, WrongExpectedRevision } from '../../event-store.ts'
import { encodeEvent, positionOf } from './codec.ts'
import { appendError, isServerTimeout } from './errors.ts'
import { requiresLeader } from './leader.ts'
import type { LeaderClient } from './leader-client.ts'
import type { Credentials } from './url.ts'

export interface Append {
  leader: LeaderClient
  credentials: Credentials
  /** A part of the position. */
  epoch: string
  stream: string
  events: readonly NewEvent[]
  expected: ExpectedRevision
  timeoutMs: number
}

export async function appendEvents(append: Append): Promise<Appended> {
  const { nextExpectedRevision, position } = await write(append)
  return {
    revision: Number(nextExpectedRevision),
    position: positionOf({ position, id: append.events.at(-1)?.id ?? '' }, append.epoch),
  }
}

async function write({ leader, credentials, stream, events, expected, timeoutMs }: Append): Promise<AppendResult> {
  const until = Date.now() + timeoutMs
  const encoded = events.map(encodeEvent)
  const expectedRevision = typeof expected === 'number' ? BigInt(expected) : expected === 'none' ? 'no_stream' : 'any'
  for (;;) {
    const client = await leader.get(Math.max(1, until - Date.now()))
    const deadline = Math.max(1, until - Date.now())
    const writing = client.appendToStream(stream, encoded, { expectedRevision, credentials, requiresLeader, deadline })
    try {
      // The client starts its own deadline only once it has found a node.
      const written = await untilAborted(writing, AbortSignal.timeout(deadline))
      leader.answered(client)
      return written
    } catch (err) {
      // The server ignores a retry that arrives before the first append is in its index. The retry then times out.
      const isSafeToRepeat = expected !== 'any' && isServerTimeout(err)
      const error = appendError(err, stream, expected)
      if (!(error instanceof WrongExpectedRevision)) leader.doubt(client)
      if (!isSafeToRepeat || Date.now() >= until) throw error
    }
  }
}
