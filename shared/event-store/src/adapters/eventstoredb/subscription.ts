import {
  type AllStreamSubscription,
  type Filter,
  type Position as LogPosition,
  streamNameFilter,
} from '@eventstore/db-client'
import { defined } from '@platen/foundation/json/defined.ts'
import { type Item, StoreUnavailable } from '../../event-store.ts'
import { type Anchor, decodeEvent, encodePlace, isKnownPosition, type RecordedEvent } from './codec.ts'
import { requiresLeader } from './leader.ts'
import type { LeaderClient } from './leader-client.ts'
import { StreamedObjects } from './streamed-objects.ts'
import type { Credentials } from './url.ts'

export interface Connection {
  leader: LeaderClient
  credentials: Credentials
  epoch: string
  /** The last event that the reader has seen. */
  anchor: Anchor | undefined
  /** Exclusive. */
  after: LogPosition | 'start'
  categories: readonly string[] | undefined
  /**
   * How long to wait for the server's confirmation. Afterwards there is no timeout, because events may be days apart.
   */
  idleMs: number
  signal: AbortSignal
}

/** One catch-up subscription, until the server or the network ends it. */
export async function* readSubscription(connection: Connection): AsyncGenerator<Item> {
  const { leader, credentials, epoch, after: fromPosition, categories, idleMs, signal } = connection
  let { anchor } = connection
  const notices: { due: number; item: () => Item }[] = []
  // The client emits these at once, before the events that it has buffered.
  const note = (item: () => Item) => {
    notices.push({ due: objects.arrived, item })
    objects.wake()
  }
  const checkpointReached = async (_: AllStreamSubscription, position: LogPosition) => {
    // EventStoreDB 24.10.0 to 24.10.4 sends an unknown position if no event of a short log matches.
    if (!isKnownPosition(position)) return
    note(() => ({ kind: 'checkpoint', position: encodePlace({ epoch, position, ...defined({ anchor }) }) }))
  }
  const filter = { ...namesOf(categories), checkpointReached }
  const client = await leader.get(idleMs, signal)
  const subscription = client.subscribeToAll({ credentials, requiresLeader, fromPosition, filter })
  const objects = new StreamedObjects<{ event?: RecordedEvent }>(subscription)
  let timeoutMs = idleMs
  subscription.once('confirmation', () => {
    timeoutMs = Number.POSITIVE_INFINITY
    objects.wake()
  })
  // The server sends caughtUp again each time it fell behind.
  subscription.once('caughtUp', () => note(() => ({ kind: 'caughtUp' })))

  function* availableItems(): Generator<Item> {
    for (;;) {
      for (let notice = notices[0]; notice && notice.due <= objects.taken; notice = notices[0]) {
        notices.shift()
        yield notice.item()
      }
      const next = objects.take()
      if (!next) return
      const { event } = next
      if (!event) continue
      if (isKnownPosition(event.position)) anchor = { position: event.position, id: event.id }
      yield { kind: 'event', event: decodeEvent(event, epoch) }
    }
  }

  try {
    while (!objects.ended) {
      yield* availableItems()
      if (!(await objects.wait(timeoutMs, signal))) throw new StoreUnavailable('The event store does not answer')
    }
  } catch (err) {
    leader.doubt(client)
    throw err
  } finally {
    subscription.unsubscribe().catch(() => {})
  }
}

/** The filter of stream names. Without categories, all valid names, which excludes the server's own streams. */
function namesOf(categories: readonly string[] | undefined): Filter {
  return categories
    ? streamNameFilter({ prefixes: categories.map((category) => `${category}-`) })
    : streamNameFilter({ regex: '^[a-z][a-z0-9]*-' })
}
