import { relays } from '@platen/domain/catalogue/events.ts'
import type { RelayName } from '@platen/domain/events/define-event.ts'
import { buckets } from '@platen/domain/streams/buckets.ts'
import type { EventStore, Position, StoredEvent } from '@platen/event-store/event-store.ts'
import { InvalidPosition } from '@platen/event-store/event-store.ts'
import { defined } from '@platen/foundation/json/defined.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import { readBucket } from '@platen/messaging/key-value/bucket.ts'
import { readLayout } from './layout.ts'
import { partitionOf } from './partition-of.ts'
import { holdersOf } from './relay-holders.ts'
import { partitionKey, relayKey } from './relays.ts'
import { lastMessage, positionHeader, readCheckpoint } from './resume-point.ts'

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
  /** The process that publishes; of a relay with partitions that of the first one. */
  held_by?: string
  /** The last message of this relay in EVENTS. */
  last_seq?: number
  last_at?: string
  reason?: string
  /** Of a relay that is divided. */
  partitions?: PartitionStatus[]
}

export interface PartitionStatus {
  /** From 0. */
  partition: number
  /** Events that are not published yet, as far as the last checkpoint says: a second ago. */
  behind: number
  oldest?: string
  held_by?: string
}

/** What is published for itself: a relay, or each partition of one that is divided. */
export function partsOf({ relay, state, behind, oldest, held_by, partitions }: RelayStatus): PublishedPart[] {
  if (!partitions) return [{ name: relay, state, behind, oldest, held_by }]
  return partitions.map(({ partition, behind, oldest, held_by }) => {
    const name = `${relay} ${partition + 1}/${partitions.length}`
    return { name, state: behind > 0 ? 'behind' : 'caught_up', behind, oldest, held_by }
  })
}

export interface PublishedPart {
  name: string
  state: RelayStatus['state']
  behind: number
  oldest: string | undefined
  held_by: string | undefined
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
  counting: Counting = {},
): Promise<RelayStatus> {
  const checkpoints = await readBucket(bus, buckets.checkpoints)
  const saved = readCheckpoint(await checkpoints.get(relayKey(relay)))
  const last = await lastMessage(bus, relay)
  const layout = saved === undefined ? { partitions: 1, epoch: 0 } : await readLayout(bus, relay)
  const holders = await holdersOf(bus, relay, layout.partitions)
  const [held_by] = holders
  const common = {
    relay,
    ...defined({ held_by }),
    ...(last && { last_seq: last.seq, last_at: last.time.toISOString() }),
  }
  // Whichever of the two is newer: the checkpoint follows the messages with a delay, and passes events that are not published.
  const isNewer = layout.partitions === 1 && last !== undefined && last.seq > (saved?.seq ?? 0)
  const after = (isNewer ? last.header?.get(positionHeader) || saved?.position : saved?.position) as
    | Position
    | 'start'
    | undefined
  if (after === undefined) return { ...common, state: 'unused', behind: 0 }
  const partitions = holders.map(async (holder, partition): Promise<PartitionStatus> => {
    const own =
      layout.partitions === 1 ? undefined : readCheckpoint(await checkpoints.get(partitionKey(relay, partition)))
    const isOwn = ({ stream }: StoredEvent) => partitionOf(stream, layout.partitions) === partition
    const from = own?.epoch === layout.epoch ? own.position : after
    const waiting = await countAfter(store, { relay, after: from, isOwn, ...counting })
    return { partition, ...waiting, ...defined({ held_by: holder }) }
  })
  try {
    const counted = await Promise.all(partitions)
    const behind = counted.reduce((sum, one) => sum + one.behind, 0)
    const [oldest] = counted.flatMap((one) => one.oldest ?? []).sort()
    const total = { ...common, behind, ...defined({ oldest }) }
    return {
      ...total,
      state: behind > 0 ? 'behind' : 'caught_up',
      ...(layout.partitions > 1 && { partitions: counted }),
    }
  } catch (err) {
    if (!(err instanceof InvalidPosition)) throw err
    return { ...common, state: 'other_event_store', behind: 0, reason: err.message }
  }
}

interface Counted extends Counting {
  relay: RelayName
  after: Position | 'start'
  isOwn: (event: StoredEvent) => boolean
}

async function countAfter(
  store: EventStore,
  { relay, after, isOwn, most = Number.POSITIVE_INFINITY, signal }: Counted,
) {
  let behind = 0
  let oldest: string | undefined
  for await (const event of store.readLog({ after, categories: relays[relay], ...defined({ signal }) })) {
    if (!isOwn(event)) continue
    behind += 1
    oldest ??= event.recordedAt.toISOString()
    if (behind >= most) break
  }
  return { behind, ...defined({ oldest }) }
}
