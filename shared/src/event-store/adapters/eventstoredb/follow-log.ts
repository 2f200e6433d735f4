import type { EventStoreDBClient, Position as LogPosition } from '@eventstore/db-client'
import { backoffMs, sleep } from '../../../runtime/sleep.ts'
import { type Item, type Position, StoreUnavailable } from '../../event-store.ts'
import { decodePosition, isKnownPosition, type RecordedEvent } from './codec.ts'
import { endOfSubscription } from './errors.ts'
import { StreamedObjects } from './streamed-objects.ts'
import { type Connection, readSubscription } from './subscription.ts'
import type { Credentials } from './url.ts'

/** Short, because a view that cannot follow the log is stale. */
const backoff = { firstMs: 50, maxMs: 500 }

export interface Following extends Omit<Connection, 'after'> {
  after: Position | 'start' | 'end'
}

/**
 * A subscription that reconnects after the last item it yielded. The client does not resume by itself, and the server
 * drops slow readers.
 */
export async function* followLog(following: Following): AsyncGenerator<Item> {
  const { after, signal } = following
  let reached = startOf(after)
  for (let failures = 1; !signal.aborted; failures++) {
    let cause: unknown
    try {
      // Fix the end once: after a reconnect before the first event, "end" would be later and skip events.
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
      cause = err
    }
    yield { kind: 'lost', cause: new StoreUnavailable('The subscription to the event store is interrupted', { cause }) }
    await sleep(backoffMs(Math.max(1, failures), backoff), signal)
  }
}

function startOf(after: Position | 'start' | 'end'): LogPosition | 'start' | 'end' {
  if (after === 'start') return 'start'
  return after === 'end' ? 'end' : decodePosition(after)
}

/** The position of the last event of the log, which may be one of the server's own. */
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
    throw new Error('no answer from the event store')
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
