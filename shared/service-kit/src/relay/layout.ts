import type { RelayName } from '@platen/domain/events/define-event.ts'
import { buckets } from '@platen/domain/streams/buckets.ts'
import { untilBeat } from '@platen/foundation/runtime/beat.ts'
import type { Logger } from '@platen/foundation/runtime/logger.ts'
import { OutageLog } from '@platen/foundation/runtime/outage-log.ts'
import { sleep } from '@platen/foundation/runtime/sleep.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import { LazyBucket } from '@platen/messaging/key-value/lazy-bucket.ts'
import { mostPartitions } from '../host/common-settings.ts'
import { layoutKey } from './relays.ts'

/** Into how many partitions a relay is divided, which is recorded in NATS: all processes must have the same number. */
export interface Layout {
  partitions: number
  /** Changes with each change. A checkpoint of a partition counts for the layout that it was saved in. 0: never changed. */
  epoch: number
}

const undivided: Layout = { partitions: 1, epoch: 0 }
const lookEveryMs = 5_000
const againMs = 1_000

/** Throws BusUnavailable. */
export async function readLayout(bus: Bus, service: RelayName): Promise<Layout> {
  return layoutIn((await read(bus, service)).value)
}

/** Records the number of partitions that `wanted` returns, in a new epoch; undefined: nothing. Resolves to what is recorded then. */
async function change(
  bus: Bus,
  service: RelayName,
  wanted: (recorded: Layout, isRecorded: boolean) => number | undefined,
): Promise<Layout> {
  for (;;) {
    const { value, revision, bucket } = await read(bus, service)
    const recorded = layoutIn(value)
    const partitions = wanted(recorded, value !== undefined)
    if (partitions === undefined) return recorded
    const next: Layout = { partitions, epoch: recorded.epoch + 1 }
    if ((await bucket.write(layoutKey(service), JSON.stringify(next), revision)) !== undefined) return next
  }
}

/**
 * Records the number of partitions, if another one is recorded. With `onlyIfNone` a number that is recorded is kept. Throws
 * BusUnavailable.
 */
function setPartitions(bus: Bus, service: RelayName, partitions: number, { onlyIfNone = false } = {}): Promise<Layout> {
  return change(bus, service, (recorded, isRecorded) =>
    recorded.partitions === partitions || (onlyIfNone && isRecorded) ? undefined : partitions,
  )
}

/**
 * Makes the checkpoints of all partitions void, so that each begins where the whole relay does; with `of` only if that is still the
 * epoch. Throws BusUnavailable.
 */
export async function renewLayout(bus: Bus, service: RelayName, of?: number): Promise<void> {
  await change(bus, service, ({ partitions, epoch }, isRecorded) =>
    isRecorded && (of === undefined || of === epoch) ? partitions : undefined,
  )
}

export interface FollowedLayout {
  bus: Bus
  service: RelayName
  /** The number that this process records when it starts, and again if NATS has lost it. Undefined: what is recorded. */
  wanted: number | undefined
  log: Pick<Logger, 'warn' | 'info'>
  stopping: AbortSignal
  /** Runs for one layout. The signal aborts when there is another one. */
  work: (layout: Layout, signal: AbortSignal) => Promise<void>
}

/**
 * A process records its number once, when it starts: after a rolling update the last process to start has the new number. Until
 * a process sees the change, in five seconds, partitions of both layouts are published. That doubles work, and neither an event
 * nor the order: see `publishInOrder`.
 */
export async function followLayout({ bus, service, wanted, log, stopping, work }: FollowedLayout): Promise<void> {
  let layout = await firstLayout({ bus, service, wanted, log, stopping })
  while (layout && !stopping.aborted) {
    const changed = new AbortController()
    const working = work(layout, AbortSignal.any([stopping, changed.signal]))
    const ended = new AbortController()
    const next = changeOf(layout, { bus, service, wanted, signal: AbortSignal.any([stopping, ended.signal]) }).then(
      (found) => {
        changed.abort()
        return found
      },
    )
    await working.finally(() => ended.abort())
    layout = await next
    if (layout) log.info({ service, partitions: layout.partitions }, 'the relay has another number of partitions')
  }
}

async function firstLayout({ bus, service, wanted, log, stopping }: Omit<FollowedLayout, 'work'>) {
  const outage = new OutageLog(log, `partitions of the relay ${service}`)
  while (!stopping.aborted) {
    try {
      const layout = wanted === undefined ? await readLayout(bus, service) : await setPartitions(bus, service, wanted)
      outage.recovered()
      return layout
    } catch (err) {
      if (stopping.aborted) return undefined
      outage.failed(err)
      await sleep(againMs, stopping)
    }
  }
  return undefined
}

interface Watched extends Pick<FollowedLayout, 'bus' | 'service' | 'wanted'> {
  signal: AbortSignal
}

/** The next layout. Undefined when the signal aborts. */
async function changeOf({ epoch }: Layout, { bus, service, wanted, signal }: Watched): Promise<Layout | undefined> {
  for (;;) {
    await untilBeat(lookEveryMs, signal)
    if (signal.aborted) return undefined
    // While NATS does not answer, the leases say so.
    const found = await setPartitions(bus, service, wanted ?? 1, { onlyIfNone: true }).catch(() => undefined)
    if (signal.aborted) return undefined
    if (found && found.epoch !== epoch) return found
  }
}

async function read(bus: Bus, service: RelayName) {
  const bucket = new LazyBucket(bus, buckets.checkpoints)
  return { bucket, ...(await bucket.readCurrent(layoutKey(service))) }
}

/** A record that cannot be read is none. */
function layoutIn(value: string | undefined): Layout {
  try {
    const { partitions, epoch }: Partial<Layout> = JSON.parse(value ?? '{}')
    return isCount(partitions) && partitions <= mostPartitions && isCount(epoch) ? { partitions, epoch } : undivided
  } catch {
    return undivided
  }
}

const isCount = (value: number | undefined): value is number => Number.isInteger(value) && Number(value) >= 1
