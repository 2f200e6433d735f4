import type { KV } from 'nats'
import type { Bus } from './bus.ts'
import { requireStream } from './streams.ts'

export interface BucketConfig {
  name: string
  /** A key is gone after this long. */
  ttlMs?: number
}

/** The key-value buckets of the services. */
export const buckets = {
  /** What was answered to an Idempotency-Key, for every gateway. */
  idempotency: { name: 'IDEMPOTENCY', ttlMs: 24 * 3_600_000 },
  /** Who relays which categories. */
  leases: { name: 'LEASES' },
  /** How far each relay has come. */
  checkpoints: { name: 'CHECKPOINTS' },
  /** Longer than an attempt may take: a claim that is older belongs to a notifier that is gone. */
  deliveryClaims: { name: 'DELIVERY_CLAIMS', ttlMs: 30_000 },
} as const satisfies Record<string, BucketConfig>

/** The stream that JetStream keeps a bucket in. */
export const streamOfBucket = ({ name }: BucketConfig) => `KV_${name}`

/** Opens a bucket, made where it is missing and the account may make it. */
export async function openBucket(bus: Bus, bucket: BucketConfig): Promise<KV> {
  if (!bus.managesStreams) await requireStream(bus.jsm, streamOfBucket(bucket))
  const { name, ttlMs } = bucket
  return bus.js.views.kv(name, { history: 1, ...(ttlMs !== undefined && { ttl: ttlMs }) })
}
