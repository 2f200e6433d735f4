import { NeedsOperator } from '@platen/foundation/errors/errors.ts'
import { untilBeat } from '@platen/foundation/runtime/beat.ts'
import type { Logger } from '@platen/foundation/runtime/logger.ts'
import { OutageLog } from '@platen/foundation/runtime/outage-log.ts'
import { sleep } from '@platen/foundation/runtime/sleep.ts'
import { Unchanged } from '@platen/foundation/runtime/unchanged.ts'
import type { Bus } from '../connection/bus.ts'
import type { BucketConfig } from './bucket.ts'
import { LazyBucket } from './lazy-bucket.ts'

/** A lease that has not changed for this time has no holder any more. */
export const leaseMs = 10_000
/** Renewed at the common beat of the process. The write is repeated for `patienceMs`, which ends before the lease. */
const renewEveryMs = 5_000

/** A lease that was given up has none. */
type Held = { holder?: string }

/** Which of several processes takes a lease that is free. */
export interface LeaseTurns {
  /** Whether this process takes one that it has seen free for this time. */
  takes(freeMs: number): boolean
  /** The time until the lease is looked at again. */
  readonly lookAgainMs: number
}

export interface LeaseOptions {
  bus: Bus
  bucket: BucketConfig
  name: string
  /** Identifies this process; no other may have it. A process that lost its connection takes its own lease again at once. */
  holder: string
  /** Whether the holder of a lease has certainly ended. Its lease is taken at once. Default: nothing is known. */
  hasEnded?: (holder: string) => boolean
  /** Default: a free lease is taken at once, and looked at each second. */
  turns?: LeaseTurns
  log: Logger
  stopping: AbortSignal
  /** Runs while the lease is held. The signal aborts when the lease is lost or the process stops. */
  work: (signal: AbortSignal) => Promise<void>
}

/**
 * Runs `work` in one process at a time, the holder of a lease. The lease is a key in a bucket that the holder
 * renews. A stalled process can lead to two holders for a while, so `work` must be idempotent. If it rejects, it begins again, but for
 * NeedsOperator, which is thrown.
 */
export async function whileHoldingLease(options: LeaseOptions): Promise<void> {
  const { bus, bucket, name, turns, log, stopping } = options
  const leases = new LazyBucket(bus, bucket)
  // While NATS is unavailable an attempt fails every second; the log gets the first of them.
  const outage = new OutageLog(log, `lease ${name}`)
  const unchanged = new Unchanged()
  let freeSince: number | undefined
  const takesFree = () => {
    freeSince ??= performance.now()
    return turns === undefined || turns.takes(performance.now() - freeSince)
  }
  while (!stopping.aborted) {
    try {
      const revision = await acquire(leases, options, unchanged, takesFree)
      outage.recovered()
      if (revision !== 'free') freeSince = undefined
      if (typeof revision === 'number') await workAndRenew(leases, revision, options)
      else await sleep(turns?.lookAgainMs ?? 1_000, stopping)
    } catch (err) {
      if (stopping.aborted) return
      if (err instanceof NeedsOperator) throw err
      outage.failed(err)
      await sleep(1_000, stopping)
    }
  }
}

const entryOf = (held: Held) => JSON.stringify(held)

/** The revision of the lease that was taken. Undefined if another process has it, `free` if nobody has it and it is left to others. */
async function acquire(
  leases: LazyBucket,
  { name, holder, hasEnded = () => false }: LeaseOptions,
  unchanged: Unchanged,
  takesFree: () => boolean,
): Promise<number | 'free' | undefined> {
  const { value, revision } = await leases.read(name)
  if (value !== undefined) {
    const { holder: other } = JSON.parse(value) as Held
    const isHeld = other !== undefined && other !== holder && !hasEnded(other)
    if (isHeld && unchanged.forMs(revision) < leaseMs) return undefined
  }
  return takesFree() ? leases.write(name, entryOf({ holder }), revision) : 'free'
}

async function workAndRenew(leases: LazyBucket, firstRevision: number, options: LeaseOptions): Promise<void> {
  const { name, holder, stopping, work } = options
  const lost = new AbortController()
  const signal = AbortSignal.any([stopping, lost.signal])
  let revision = firstRevision
  const renewing = (async () => {
    for (;;) {
      await untilBeat(renewEveryMs, signal)
      if (signal.aborted) return
      const renewed = await leases.write(name, entryOf({ holder }), revision)
      if (renewed === undefined) throw new Error(`another process has taken the lease ${name}`)
      revision = renewed
    }
  })().catch((err) => lost.abort(err))
  try {
    await work(signal)
  } finally {
    lost.abort()
    await renewing
    if (stopping.aborted) await leases.write(name, entryOf({}), revision).catch(() => {})
  }
}
