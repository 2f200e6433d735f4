import { relays } from '@platen/domain/catalogue/events.ts'
import type { RelayName } from '@platen/domain/events/define-event.ts'
import { buckets } from '@platen/domain/streams/buckets.ts'
import type { EventStore, Position } from '@platen/event-store/event-store.ts'
import { InvalidPosition } from '@platen/event-store/event-store.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import { readBucket } from '@platen/messaging/key-value/bucket.ts'
import { holderOf } from './relay-holders.ts'
import { relayKey } from './relays.ts'
import { type Checkpoint, lastMessage, positionHeader } from './resume-point.ts'

export interface RelayStatus {
  relay: RelayName
  /**
   * `caught_up`: all events are published. `behind`: some are not. `other_event_store`: the relay has stopped, because
   * EVENTS belongs to another event store. `unused`: it never ran.
   */
  state: 'caught_up' | 'behind' | 'other_event_store' | 'unused'
  /** Events that are not published yet. */
  behind: number
  /** When the oldest of them was recorded. */
  oldest?: string
  /** The process that publishes. */
  held_by?: string
  /** The last message of this relay in EVENTS. */
  last_seq?: number
  last_at?: string
  reason?: string
}

interface Counting {
  /** Events that are behind are counted up to this number. */
  most?: number
  signal?: AbortSignal
}

export async function statusOf(
  store: EventStore,
  bus: Bus,
  relay: RelayName,
  { most = Number.POSITIVE_INFINITY, signal }: Counting = {},
): Promise<RelayStatus> {
  const checkpoints = await readBucket(bus, buckets.checkpoints)
  const entry = await checkpoints.get(relayKey(relay))
  const saved = entry?.operation === 'PUT' ? entry.json<Checkpoint>() : undefined
  const last = await lastMessage(bus, relay)
  const held_by = await holderOf(bus, relay)
  const common = {
    relay,
    ...(held_by !== undefined && { held_by }),
    ...(last && { last_seq: last.seq, last_at: last.time.toISOString() }),
  }
  // Whichever of the two is newer: the checkpoint follows the messages with a delay, and passes events that are not published.
  const isNewer = last !== undefined && last.seq > (saved?.seq ?? 0)
  const after = (isNewer ? last.header?.get(positionHeader) || saved?.position : saved?.position) as
    | Position
    | 'start'
    | undefined
  if (after === undefined) return { ...common, state: 'unused', behind: 0 }
  try {
    let behind = 0
    let oldest: string | undefined
    for await (const { recordedAt } of store.readLog({ after, categories: relays[relay], ...(signal && { signal }) })) {
      behind += 1
      oldest ??= recordedAt.toISOString()
      if (behind >= most) break
    }
    return { ...common, state: behind > 0 ? 'behind' : 'caught_up', behind, ...(oldest && { oldest }) }
  } catch (err) {
    if (!(err instanceof InvalidPosition)) throw err
    return { ...common, state: 'other_event_store', behind: 0, reason: err.message }
  }
}
