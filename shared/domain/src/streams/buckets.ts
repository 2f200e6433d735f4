import { ask } from '@platen/messaging/connection/ask.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import type { KV } from 'nats'
import { found, notSetUp } from './streams.ts'

export interface BucketConfig {
  name: string
  /** Keys expire after this time. */
  ttlMs?: number
}

/** The key-value buckets of the services. */
export const buckets = {
  /** Responses by Idempotency-Key, shared by all gateways. */
  idempotency: { name: 'IDEMPOTENCY', ttlMs: 24 * 3_600_000 },
  /** Which process runs each relay. */
  leases: { name: 'LEASES' },
  /** The last published position of each relay. */
  checkpoints: { name: 'CHECKPOINTS' },
  /** Which notifier makes an attempt, and how often it has been claimed. */
  deliveryClaims: { name: 'DELIVERY_CLAIMS', ttlMs: 3_600_000 },
} as const satisfies Record<string, BucketConfig>

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
