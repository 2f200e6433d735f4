import type { KV } from 'nats'
import { ask } from '../connection/ask.ts'
import type { Bus } from '../connection/bus.ts'
import { found, notSetUp } from '../streams/streams.ts'

export interface BucketConfig {
  name: string
  /** Keys expire after this time. */
  ttlMs?: number
}

/** The name of a bucket's stream. */
export const streamOfBucket = ({ name }: BucketConfig) => `KV_${name}`

/** Opens a bucket. Creates it if it is missing and the account may create it; else throws NotSetUp. */
export async function openBucket(bus: Bus, bucket: BucketConfig): Promise<KV> {
  const { name, ttlMs } = bucket
  const exists = await ask(bus, () => found(bus.queries.streams.info(streamOfBucket(bucket))))
  if (exists) {
    // Without a request, which a cluster that elects its leader would not answer.
    const options = { bindOnly: true, allow_direct: exists.config.allow_direct }
    return bus.queries.jetstream().views.kv(name, options)
  }
  if (!bus.managesStreams) throw notSetUp(`stream ${streamOfBucket(bucket)}`)
  return bus.js.views.kv(name, { history: 1, ...(ttlMs !== undefined && { ttl: ttlMs }) })
}
