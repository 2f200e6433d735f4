import type { KV } from 'nats'
import type { Bus } from '../connection/bus.ts'
import { requireStream } from './streams.ts'

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
  if (!bus.managesStreams) await requireStream(bus.jsm, streamOfBucket(bucket))
  const { name, ttlMs } = bucket
  return bus.js.views.kv(name, { history: 1, ...(ttlMs !== undefined && { ttl: ttlMs }) })
}
