import type { EventStoreDBClient, Position as LogPosition } from '@eventstore/db-client'
import { backoffMs, sleep } from '../../../runtime/sleep.ts'
import type { Item, Position } from '../../event-store.ts'
import { decodePosition, isKnownPosition, type RecordedEvent } from './codec.ts'
import { endOfSubscription } from './errors.ts'
import { StreamedObjects } from './streamed-objects.ts'
import { type Connection, readSubscription } from './subscription.ts'
import type { Credentials } from './url.ts'

const backoff = { firstMs: 50, maxMs: 5_000 }

export interface Following extends Omit<Connection, 'after'> {
  after: Position | 'start' | 'end'
}

/**
 * A subscription that outlives its connections: each next one begins after the last item that was handed out.
 * The client itself never resumes, and the server drops readers that are too slow.
 */
export async function* followLog(following: Following): AsyncGenerator<Item> {
  const { after, signal } = following
  let reached = placeOf(after)
  for (let failures = 1; !signal.aborted; failures++) {
    try {
      // A connection that is cut before its first event would otherwise begin again at a later end.
      if (reached === 'end') reached = await endOfLog(following)
      for await (const item of readSubscription({ ...following, after: reached })) {
        failures = 0
        if (item.kind === 'event') reached = decodePosition(item.event.position)
        if (item.kind === 'checkpoint') reached = decodePosition(item.position)
        yield item
        if (signal.aborted) return
      }
    } catch (err) {
      if (signal.aborted) return
      const end = endOfSubscription(err)
      if (end) throw end
    }
    await sleep(backoffMs(Math.max(1, failures), backoff), signal)
  }
}

function placeOf(after: Position | 'start' | 'end'): LogPosition | 'start' | 'end' {
  if (after === 'start') return 'start'
  return after === 'end' ? 'end' : decodePosition(after)
}

/** The position of the last event of all, be it one of the server's own. */
async function endOfLog({ client, credentials, idleMs, signal }: Tail): Promise<LogPosition | 'start'> {
  const reading = client.readAll({ credentials, direction: 'backwards', fromPosition: 'end', maxCount: 1 })
  const objects = new StreamedObjects<{ event?: RecordedEvent; link?: RecordedEvent }>(reading)
  try {
    while (!objects.ended) {
      const last = objects.take()
      const position = (last?.link ?? last?.event)?.position
      if (isKnownPosition(position)) return position
      if (!(await objects.wait(idleMs, signal))) break
    }
    if (objects.ended) return 'start'
    throw new Error('No answer')
  } finally {
    reading.cancel().catch(() => {})
  }
}

interface Tail {
  client: EventStoreDBClient
  credentials: Credentials
  idleMs: number
  signal: AbortSignal
}
