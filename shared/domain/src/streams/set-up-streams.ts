import { sleep } from '@platen/foundation/runtime/sleep.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import { asBusUnavailable, BusUnavailable } from '@platen/messaging/connection/bus-unavailable.ts'
import {
  type BucketConfig,
  limitBucket,
  openBucket,
  streamOfBucket,
  withoutRollups,
} from '@platen/messaging/key-value/bucket.ts'
import {
  type Change,
  ensureConsumer,
  ensureStream,
  found,
  NotSetUp,
  requireConsumer,
  requireStream,
  unlessForbidden,
} from '@platen/messaging/streams/streams.ts'
import { type JetStreamManager, NatsError, nanos } from 'nats'
import { buckets } from './buckets.ts'
import { limitEvents } from './limit-events.ts'
import { streamConfigs } from './stream-configs.ts'
import { consumers, streams } from './subjects.ts'

export interface SetUp {
  /** `stream COMMANDS`, `consumer render-batch`, `bucket LEASES`. */
  what: string
  change: Change
}

export interface SetUpOptions {
  /** Replicas of each stream and bucket in a NATS cluster. Default: 1 for new ones, unchanged for existing ones. */
  replicas?: number | undefined
  /** The size of the stream EVENTS, in MiB. Default: see `limitEvents`. */
  eventsMaxMb?: number | undefined
  /** Finds out what would be done, and changes nothing. Default: false. */
  dryRun?: boolean
  /** Called once for each step that NATS does not answer, before it is repeated. */
  onUnanswered?: (what: string, reason: BusUnavailable) => void
}

const defaultDuplicateWindowMs = 120_000

/** Creates or updates the streams. Several services may run it at once. Repeats what NATS does not answer for up to 20 s. */
export async function ensureStreams(jsm: JetStreamManager, eventsDefaultMb?: number): Promise<void> {
  for (const config of streamConfigs) await answered(() => ensureStream(jsm, config))
  const limit = () => answered(() => limitEvents(jsm, { defaultMb: eventsDefaultMb }))
  await unlessForbidden(`the stream ${streams.events}`, limit())
}

/** Creates or updates all streams, consumers and buckets of the services, whatever NATS_MANAGE_STREAMS says: that is for services. */
export async function* setUpStreams(
  bus: Bus,
  { replicas, eventsMaxMb, dryRun = false, onUnanswered = () => {} }: SetUpOptions = {},
): AsyncIterable<SetUp> {
  await bus.whenConnected()
  if ((replicas ?? 1) > 1 && bus.nats.info?.cluster === undefined)
    throw new NotSetUp(`${replicas} replicas need a NATS cluster; this is a single server`)
  const jsm = dryRun ? withoutChanges(bus.jsm) : bus.jsm
  const copies = replicas === undefined ? {} : { num_replicas: replicas }
  const setUp = async (what: string, info: () => Promise<unknown>, ensure: () => Promise<Change>): Promise<SetUp> => {
    let isTold = false
    const onRepeat = (reason: BusUnavailable) => {
      if (!isTold) onUnanswered(what, reason)
      isTold = true
    }
    const isNew = !(await answered(() => found(info()), onRepeat))
    const change = isNew && dryRun ? 'created' : await answered(ensure, onRepeat)
    return { what, change: isNew ? 'created' : change }
  }
  for (const config of streamConfigs) {
    const { name } = config
    yield await setUp(
      `stream ${name}`,
      () => jsm.streams.info(name),
      async () => {
        const change = await ensureStream(jsm, { ...config, ...copies })
        return name === streams.events ? first(change, await limitEvents(jsm, { maxMb: eventsMaxMb })) : change
      },
    )
  }
  for (const bucket of Object.values(buckets)) {
    yield await setUp(
      `bucket ${bucket.name}`,
      () => jsm.streams.info(streamOfBucket(bucket)),
      async () => {
        await openBucket(bus, bucket, !dryRun)
        return ensureBucket(jsm, bucket, copies)
      },
    )
  }
  for (const consumer of Object.values(consumers)) {
    yield await setUp(
      `consumer ${consumer.durable}`,
      () => jsm.consumers.info(consumer.stream, consumer.durable),
      () => ensureConsumer(jsm, consumer),
    )
  }
}

const first = (change: Change, further: Change): Change => (change === 'unchanged' ? further : change)

/** The cluster has no leader, or not all servers of a majority: https://github.com/nats-io/nats-server/blob/main/server/errors.json */
const passing = [10_004, 10_008, 10_009]

/** No server for a replica. The description says why: a server that has just started is offline to the others for a moment. */
const noPeers = 10_005

/** A fault that may pass. Undefined for others, such as a full disk, which are reported at once. */
function passingFault(err: unknown): BusUnavailable | undefined {
  const { err_code: code, description = '' } = (err instanceof NatsError && err.api_error) || {}
  if (code === noPeers && description.includes('peer offline'))
    return new BusUnavailable(`NATS does not answer: ${description}`, { cause: err })
  if (code !== undefined && !passing.includes(code)) return
  const fault = asBusUnavailable(err)
  return fault instanceof BusUnavailable ? fault : undefined
}

/** Longer than an election, and than a cluster that has just started needs until its servers know of each other. */
export const answerWithinMs = 20_000

/** Repeats a step whose answer was lost. What it has created by then, it finds. */
async function answered<Result>(
  step: () => Promise<Result>,
  onRepeat: (reason: BusUnavailable) => void = () => {},
): Promise<Result> {
  for (const until = performance.now() + answerWithinMs; ; await sleep(500)) {
    try {
      return await step()
    } catch (err) {
      const fault = passingFault(err)
      if (!fault || performance.now() > until) throw fault ?? err
      onRepeat(fault)
    }
  }
}

/** Throws NotSetUp if a stream, consumer or bucket is missing. The message names the command to run. Waits as `ensureStreams`. */
export async function requireStreams(jsm: JetStreamManager): Promise<void> {
  for (const { name } of streamConfigs) await answered(() => requireStream(jsm, name))
  for (const consumer of Object.values(consumers)) await answered(() => requireConsumer(jsm, consumer))
  for (const bucket of Object.values(buckets)) await answered(() => requireStream(jsm, streamOfBucket(bucket)))
}

/** The NATS client has created the bucket's stream. Only the settings that may change are set here. */
async function ensureBucket(
  jsm: JetStreamManager,
  bucket: BucketConfig,
  copies: { num_replicas?: number },
): Promise<Change> {
  const name = streamOfBucket(bucket)
  const { ttlMs = 0 } = bucket
  // JetStream refuses a duplicate window longer than the messages' age.
  const duplicateWindowMs = Math.min(ttlMs || Number.POSITIVE_INFINITY, defaultDuplicateWindowMs)
  const wanted = { name, max_age: nanos(ttlMs), duplicate_window: nanos(duplicateWindowMs), ...copies }
  const change = first(await ensureStream(jsm, wanted), await limitBucket({ jsm }, bucket))
  return first(change, await withoutRollups({ jsm }, bucket))
}

/** Answers each change as if it were made. */
function withoutChanges(jsm: JetStreamManager): JetStreamManager {
  const none = { add: async () => undefined, update: async () => undefined }
  const without = (api: object): object => Object.assign(Object.create(api), none)
  return Object.assign(Object.create(jsm), { streams: without(jsm.streams), consumers: without(jsm.consumers) })
}
