import { defined } from '@platen/foundation/json/defined.ts'
import type { KV, StreamConfig } from 'nats'
import { ask } from '../connection/ask.ts'
import type { Bus } from '../connection/bus.ts'
import { limitBytes } from '../streams/limit-bytes.ts'
import { type Change, found, isTaken, notSetUp } from '../streams/streams.ts'

export interface BucketConfig {
  name: string
  /** Keys expire after this time. */
  ttlMs?: number
  /** The most bytes of all keys, or less where that is more than an eighth of what JetStream may store. */
  maxBytes?: number
}

/** The name of a bucket's stream. */
export const streamOfBucket = ({ name }: BucketConfig) => `KV_${name}`

/** Opens a bucket. Creates it if it is missing and `creates`, by default if the account may create it; else throws NotSetUp. */
export async function openBucket(bus: Bus, bucket: BucketConfig, creates = bus.managesStreams): Promise<KV> {
  const { name, ttlMs } = bucket
  const exists = await ask(bus, () => found(bus.queries.streams.info(streamOfBucket(bucket))))
  if (exists) {
    if (creates) await withoutRollups(bus, bucket, exists.config)
    // Opened without a request, which a cluster without a leader would not answer.
    const options = { bindOnly: true, allow_direct: exists.config.allow_direct }
    return bus.queries.jetstream().views.kv(name, options)
  }
  if (!creates) throw notSetUp(`stream ${streamOfBucket(bucket)}`)
  try {
    const created = await bus.js.views.kv(name, { history: 1, ...defined({ ttl: ttlMs }) })
    await limitBucket(bus, bucket)
    await withoutRollups(bus, bucket)
    return created
  } catch (err) {
    // Another process has created it at the same moment, and limited it since.
    if (isTaken(err)) return openBucket(bus, bucket, false)
    throw err
  }
}

/** A bucket that is only read. One that is missing is not created, and has no keys. */
export async function readBucket(bus: Bus, bucket: BucketConfig): Promise<Pick<KV, 'get'>> {
  const exists = await ask(bus, () => found(bus.queries.streams.info(streamOfBucket(bucket))))
  return exists ? openBucket(bus, bucket, false) : { get: async () => null }
}

/**
 * With the header `Nats-Rollup` a message would erase all keys of its bucket, also with the rights for one key only. The NATS client makes
 * buckets that allow it.
 */
export async function withoutRollups(
  { jsm }: Pick<Bus, 'jsm'>,
  bucket: BucketConfig,
  known?: StreamConfig,
): Promise<Change> {
  const stream = streamOfBucket(bucket)
  const { allow_rollup_hdrs: isAllowed } = known ?? (await jsm.streams.info(stream)).config
  if (!isAllowed) return 'unchanged'
  await jsm.streams.update(stream, { allow_rollup_hdrs: false })
  return 'updated'
}

const partsOfStorage = 8

/**
 * Limits the size of a bucket, so that it cannot take the storage that the stream COMMANDS needs. An existing limit is
 * kept.
 */
export async function limitBucket({ jsm }: Pick<Bus, 'jsm'>, bucket: BucketConfig): Promise<Change> {
  const { maxBytes: mostBytes } = bucket
  const stream = streamOfBucket(bucket)
  if (mostBytes === undefined || (await jsm.streams.info(stream)).config.max_bytes > 0) return 'unchanged'
  return limitBytes(jsm, stream, { mostBytes, parts: partsOfStorage })
}
