import type { BucketConfig } from '@platen/messaging/key-value/bucket.ts'
import { mostRetainDays } from '../document/retain-input.ts'

/** The key-value buckets of the services. */
export const buckets = {
  /** The ids of resources by Idempotency-Key, shared by all gateways. Some three million entries. */
  idempotency: { name: 'IDEMPOTENCY', ttlMs: 24 * 3_600_000, maxBytes: 2 ** 30 },
  /** Which process runs each relay. */
  leases: { name: 'LEASES' },
  /** The last published position of each relay. */
  checkpoints: { name: 'CHECKPOINTS' },
  /** Which notifier makes an attempt, and how often it has been claimed. */
  deliveryClaims: { name: 'DELIVERY_CLAIMS', ttlMs: 3_600_000 },
  /** The announcement of each process. One of a killed process is kept for a day. */
  processes: { name: 'PROCESSES', ttlMs: 24 * 3_600_000, maxBytes: 2 ** 24 },
  /**
   * The key of each kept input, by generation, and how much each owner keeps. A key is deleted with its input; one that
   * was never used expires. Some million keys.
   */
  inputKeys: { name: 'INPUT_KEYS', ttlMs: (mostRetainDays + 1) * 24 * 3_600_000, maxBytes: 2 ** 28 },
} as const satisfies Record<string, BucketConfig>
