import type { KV } from 'nats'
import type { Logger } from '../runtime/logger.ts'
import { sleep } from '../runtime/sleep.ts'
import { buckets, openBucket } from './buckets.ts'
import type { Bus } from './bus.ts'
import { isWrongSequence } from './wrong-sequence.ts'

/** A lease that is not renewed expires after this time. */
const leaseMs = 10_000
const renewEveryMs = 3_000

type Held = { holder: string; until: number }

export interface LeaseOptions {
  bus: Bus
  name: string
  /** Identifies this process. After a restart it takes its own lease again at once. */
  holder: string
  log: Logger
  stopping: AbortSignal
  /** Runs while the lease is held. The signal aborts when the lease is lost or the process stops. */
  work: (signal: AbortSignal) => Promise<void>
}

/**
 * Runs `work` in one process at a time, the holder of a lease. The lease is a key in the bucket LEASES that the holder
 * renews. A stalled process or unequal clocks can lead to two holders for a while, so `work` must be idempotent.
 */
export async function whileHoldingLease(options: LeaseOptions): Promise<void> {
  const { bus, name, log, stopping } = options
  while (!stopping.aborted) {
    try {
      const leases = await openBucket(bus, buckets.leases)
      const revision = await acquire(leases, options)
      if (revision === undefined) await sleep(1_000, stopping)
      else await workAndRenew(leases, revision, options)
    } catch (err) {
      if (stopping.aborted) return
      log.warn({ err, lease: name }, 'lease lost, retrying')
      await sleep(1_000, stopping)
    }
  }
}

async function acquire(leases: KV, { name, holder }: LeaseOptions): Promise<number | undefined> {
  const entry = await leases.get(name)
  const value = JSON.stringify({ holder, until: Date.now() + leaseMs } satisfies Held)
  if (entry && entry.operation === 'PUT') {
    const held = entry.json<Held>()
    if (held.holder !== holder && held.until > Date.now()) return undefined
  }
  try {
    return entry ? await leases.update(name, value, entry.revision) : await leases.create(name, value)
  } catch (err) {
    if (isWrongSequence(err)) return undefined
    throw err
  }
}

async function workAndRenew(leases: KV, firstRevision: number, options: LeaseOptions): Promise<void> {
  const { name, holder, stopping, work } = options
  const lost = new AbortController()
  const signal = AbortSignal.any([stopping, lost.signal])
  let revision = firstRevision
  const renewing = (async () => {
    for (;;) {
      await sleep(renewEveryMs, signal)
      if (signal.aborted) return
      revision = await leases.update(name, JSON.stringify({ holder, until: Date.now() + leaseMs }), revision)
    }
  })().catch((err) => lost.abort(err))
  try {
    await work(signal)
  } finally {
    lost.abort()
    await renewing
    if (stopping.aborted) await leases.update(name, JSON.stringify({ holder, until: 0 }), revision).catch(() => {})
  }
}
