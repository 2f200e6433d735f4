import { relays } from '@platen/domain/catalogue/events.ts'
import type { RelayName } from '@platen/domain/events/define-event.ts'
import { buckets } from '@platen/domain/streams/buckets.ts'
import { streams } from '@platen/domain/streams/subjects.ts'
import {
  ArchiveDamaged,
  type EventStore,
  InvalidPosition,
  type Position,
  type StoredEvent,
} from '@platen/event-store/event-store.ts'
import { NeedsOperator } from '@platen/foundation/errors/errors.ts'
import type { Logger } from '@platen/foundation/runtime/logger.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import { openBucket } from '@platen/messaging/key-value/bucket.ts'
import { found } from '@platen/messaging/streams/streams.ts'
import type { KV, StoredMsg, StreamState } from 'nats'
import { logEndAtJoin } from '../host/join-deployment.ts'
import { type Layout, renewLayout } from './layout.ts'
import { partitionKey, relayKey } from './relays.ts'

// The resume point of a relay is read from the stream EVENTS itself: an event that is not there was not published.

/** The position of the message's event. */
export const positionHeader = 'Platen-Position'
/** A position up to which every event of the relay, in all its partitions, was stored when this one was sent. */
export const resumeHeader = 'Platen-Resume-After'
/** The id of the replay that publishes the event again. */
export const replayHeader = 'Platen-Replay'

/** Kept in the bucket CHECKPOINTS, for the time when the relay's last message has expired or EVENTS is empty. */
export interface Checkpoint {
  /** Every event of the relay up to here is in EVENTS, or was before the relay began. */
  position: Position | 'start'
  /** The sequence number in EVENTS up to which that holds. */
  seq: number
  /** The event of the message with that number. Absent if the relay has published nothing since it began. */
  id?: string
  /** When EVENTS was created. */
  stream: string
  /** The position from which the relay began to publish to this EVENTS. */
  origin: Position | 'start'
  /**
   * Messages of EVENTS up to this sequence number may be of another log: of another event store, or of events that are not in the
   * copy that was restored. Absent: none is.
   */
  foreign?: number
  /** The layout of the partition whose checkpoint this is. Absent for that of a whole relay. */
  epoch?: number
}

/** One of the partitions of a relay. */
export interface Partition extends Layout {
  /** From 0. */
  index: number
}

export interface ResumePoint {
  after: Position | 'start'
  /** Every event of the relay, in all its partitions, is published up to here. */
  floor: Position | 'start'
  /** Events up to this one may be in EVENTS already. `unknown`: any that is recorded now may be. */
  mayBePublishedUpTo: string | 'unknown' | undefined
  checkpoint: Checkpoint
}

export interface Resuming {
  service: RelayName
  store: EventStore
  bus: Bus
  checkpoints: KV
  log: Pick<Logger, 'warn'>
}

/**
 * Throws OtherEventStore if EVENTS was published from another event store, or from one with other events. A relay without
 * any trace of its own begins where the log ended when NATS became that of the deployment: other services may have recorded
 * its events before its own was started, and what is older may have been published to the NATS before.
 */
export async function findResumePoint(resuming: Resuming): Promise<ResumePoint> {
  try {
    return (await findTrace(resuming)) ?? (await begin(resuming))
  } catch (err) {
    throw explained(resuming.service, err)
  }
}

/**
 * As `findResumePoint`, for a partition. It begins with its checkpoint, or where the whole relay does if the number of partitions
 * has changed. JetStream refuses what is there already, see `OrderedPublisher`. Undefined if EVENTS has lost messages of any of
 * them: all have a new layout then, and begin where the whole relay does.
 */
export async function findPartitionPoint(resuming: Resuming, partition: Partition): Promise<ResumePoint | undefined> {
  const relay = await findResumePoint(resuming)
  if (partition.partitions === 1) return relay
  const { service, bus, checkpoints, log } = resuming
  const keys = Array.from({ length: partition.partitions }, (_, index) => partitionKey(service, index))
  const entries = await Promise.all(keys.map((key) => checkpoints.get(key)))
  // Read after the checkpoints: their holders go on, and EVENTS has what a checkpoint says.
  const { created, state } = await bus.jsm.streams.info(streams.events)
  const saved = entries.map((entry) => readPartition(entry, partition.epoch, created))
  const lost = await Promise.all(saved.map((one) => one !== undefined && isLost(bus, one, state)))
  if (lost.includes(true)) {
    log.warn({ service }, 'EVENTS has lost messages: all partitions begin again where all of them had published')
    const { id: _, ...checkpoint } = { ...relay.checkpoint, position: relay.after, seq: state.last_seq }
    await checkpoints.put(relayKey(service), JSON.stringify(checkpoint))
    await renewLayout(bus, service, partition.epoch)
    return undefined
  }
  const checkpoint = saved[partition.index] ?? {
    ...relay.checkpoint,
    position: relay.after,
    epoch: partition.epoch,
  }
  await requirePosition(resuming, checkpoint.position)
  return { after: checkpoint.position, floor: relay.after, checkpoint, mayBePublishedUpTo: undefined }
}

/**
 * Whether EVENTS has lost messages that the checkpoint stands for, as when the power failed before they were flushed: it ends
 * before, or has another message there, because others were stored since. One that has expired is not lost.
 */
async function isLost({ jsm }: Bus, { seq, id }: Checkpoint, state: StreamState, last?: StoredMsg): Promise<boolean> {
  if (seq > state.last_seq) return true
  if (id === undefined || seq < state.first_seq) return false
  const message = last?.seq === seq ? last : await found(jsm.streams.getMessage(streams.events, { seq }))
  return message !== undefined && message.json<{ id: string }>().id !== id
}

export interface Finding extends Omit<Resuming, 'log' | 'checkpoints'> {
  checkpoints: Pick<KV, 'get'>
}

/** Undefined for a relay without any trace of its own. Throws InvalidPosition. */
export async function findTrace(resuming: Finding): Promise<ResumePoint | undefined> {
  const { service, bus, checkpoints } = resuming
  // Read first: the holder before may go on, and EVENTS has what its checkpoint says.
  const saved = readCheckpoint(await checkpoints.get(relayKey(service)))
  const { created, state } = await bus.jsm.streams.info(streams.events)
  const last = await lastMessage(bus, service)
  const isSame = saved?.stream === created
  const isNewer = last !== undefined && (saved === undefined || !isSame || last.seq > saved.seq)
  const isOutlived = !isNewer && isSame && (await isLost(bus, saved, state, last))
  const foreign = isSame && saved.foreign !== undefined && { foreign: saved.foreign }
  if (last && (isNewer || isOutlived)) {
    const own = last.header.get(positionHeader) as Position | ''
    // A replay into an EVENTS without a message of the relay has neither header.
    const after = (last.header.get(resumeHeader) || saved?.position) as Position | 'start' | undefined
    if (after !== undefined) {
      // If the message has no own position, the position to resume from must belong to this event store.
      const known = own === '' ? after : own
      await requirePosition(resuming, known)
      const isReplay = last.header.has(replayHeader)
      const origin = saved?.origin ?? after
      const checkpoint: Checkpoint = { position: after, seq: 0, stream: created, origin, ...foreign }
      return {
        after,
        floor: after,
        checkpoint,
        mayBePublishedUpTo: isReplay ? 'unknown' : last.json<{ id: string }>().id,
      }
    }
  }
  if (saved !== undefined) {
    // The messages of this relay were lost, for example when the power failed before they were flushed.
    const after = isOutlived ? saved.origin : saved.position
    await requirePosition(resuming, after)
    const { id, foreign: _, ...kept } = saved
    const hasMessages = isSame && !isOutlived
    const messages = hasMessages ? id !== undefined && { id } : { seq: 0 }
    const checkpoint: Checkpoint = { ...kept, ...foreign, position: after, stream: created, ...messages }
    return { after, floor: after, checkpoint, mayBePublishedUpTo: undefined }
  }
  return undefined
}

/** The relay begins there, and with `isForeign` whatever EVENTS has by now. */
export async function restartAt(
  position: Position | 'start',
  { service, bus }: Pick<Resuming, 'service' | 'bus'>,
  isForeign: boolean,
): Promise<Checkpoint> {
  const { created, state } = await bus.jsm.streams.info(streams.events)
  const checkpoint: Checkpoint = { position, seq: state.last_seq, stream: created, origin: position }
  if (isForeign) checkpoint.foreign = state.last_seq
  await (await openBucket(bus, buckets.checkpoints)).put(relayKey(service), JSON.stringify(checkpoint))
  return checkpoint
}

async function begin(resuming: Resuming): Promise<ResumePoint> {
  const { service, store, bus, log } = resuming
  const after = (await logEndAtJoin(bus)) ?? (await store.end())
  const next = await firstEvent(resuming, after)
  const oldest = await oldestEvent(resuming)
  if (oldest !== undefined && oldest.id !== next?.id) {
    const remedy = 'to publish older events again, run `platen replay --to-events --since <time>`'
    log.warn(
      { service, oldest: oldest.recordedAt },
      `EVENTS has no events of this service: it publishes new events only; ${remedy}`,
    )
  }
  return { after, floor: after, checkpoint: await restartAt(after, resuming, false), mayBePublishedUpTo: undefined }
}

/** The first event of the relay in the log; `unread` if it is in a damaged part of the archive, which only older events are. */
async function oldestEvent(resuming: Resuming): Promise<(Pick<StoredEvent, 'id'> & Partial<StoredEvent>) | undefined> {
  try {
    return await firstEvent(resuming, 'start')
  } catch (err) {
    if (err instanceof ArchiveDamaged) return { id: 'unread' }
    throw err
  }
}

/** The newest message of a relay. */
export async function lastMessage({ jsm }: Bus, service: RelayName): Promise<StoredMsg | undefined> {
  const subjects = relays[service].map((category) => `events.${category}.>`)
  const messages = await Promise.all(
    subjects.map((last_by_subj) => found(jsm.streams.getMessage(streams.events, { last_by_subj }))),
  )
  return messages.reduce((last, message) => ((message?.seq ?? -1) > (last?.seq ?? -1) ? message : last), undefined)
}

/** Throws InvalidPosition if the log does not have it. */
export async function requirePosition(of: Pick<Resuming, 'service' | 'store'>, position: Position | 'start') {
  if (position !== 'start') await firstEvent(of, position)
}

/** Throws InvalidPosition. */
async function firstEvent({ service, store }: Pick<Resuming, 'service' | 'store'>, after: Position | 'start') {
  for await (const event of store.readLog({ after, categories: relays[service] })) return event
  return undefined
}

export function readCheckpoint(entry: Awaited<ReturnType<KV['get']>>): Checkpoint | undefined {
  return entry?.operation === 'PUT' ? entry.json() : undefined
}

/** The checkpoint of a partition, if it was saved in this layout and for the EVENTS that was created at `stream`. */
export function readPartition(entry: Awaited<ReturnType<KV['get']>>, epoch: number, stream: string) {
  const own = readCheckpoint(entry)
  return own?.epoch === epoch && own.stream === stream ? own : undefined
}

/** EVENTS was published from another event store. The message has instructions for operators. */
export class OtherEventStore extends NeedsOperator {
  override readonly name = 'OtherEventStore'
}

/** The error with instructions for operators, if it says that the log is another one; otherwise the error itself. */
export function explained(service: RelayName, cause: unknown): unknown {
  if (!(cause instanceof InvalidPosition)) return cause
  const remedy =
    'Nothing is published. Connect the event store that it was published from; or, if this one is right, stop all services and ' +
    'run `platen deployment claim --yes` to publish what is recorded from now on. `platen replay --to-events --since <time>` ' +
    'publishes older events'
  const what = `the stream EVENTS was published by ${service} from another event store, or from one with other events`
  return new OtherEventStore(`${what}: ${cause.message}. ${remedy}`, { cause })
}
