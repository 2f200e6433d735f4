import { buckets } from '@platen/domain/streams/buckets.ts'
import { commandSubjects, streams } from '@platen/domain/streams/subjects.ts'
import { repeatedly } from '@platen/foundation/runtime/repeatedly.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import { whileHoldingLease } from '@platen/messaging/key-value/lease.ts'
import { findMessage } from '@platen/messaging/streams/find-message.ts'
import { serverTime } from '@platen/messaging/streams/server-time.ts'
import type { BackingServices } from '@platen/service-kit/host/backing-services.ts'
import { type SweepOptions, type Swept, sweepObjects } from './sweep-objects.ts'

export interface SweepTimes {
  /** A start is busy enough, and a process that stops again at once needs no sweep. */
  firstAfterMs: number
  everyMs: number
}

const defaultTimes: SweepTimes = { firstAfterMs: 60_000, everyMs: 3_600_000 }

type SweepServices = Pick<BackingServices, 'bus' | 'store' | 'objects' | 'retention' | 'instance' | 'log'> & {
  keptInputs: SweepOptions['keptInputs']
}

/** Deletes expired and orphaned objects every hour, in one renderer at a time. Resolves when `stopping` aborts. */
export function runSweeps(services: SweepServices, stopping: AbortSignal, times = defaultTimes): Promise<void> {
  const { bus, instance, log } = services
  return whileHoldingLease({
    bus,
    bucket: buckets.leases,
    name: 'object-sweep',
    holder: instance,
    log,
    stopping,
    async work(signal) {
      let since: Date | undefined
      const problem =
        'objects could not be swept: expired and orphaned objects are kept until the next sweep in an hour'
      const onFault = (err: unknown) => log.warn({ err }, problem)
      await repeatedly({ ...times, onFault, signal }, async () => {
        since = (await sweep(services, signal, since)) ?? since
      })
    },
  })
}

/** Returns the time of a sweep that left nothing to look up again. */
async function sweep(services: SweepServices, signal: AbortSignal, since: Date | undefined) {
  const { bus, objects, store, keptInputs, retention, log } = services
  // Not the clock of this host, which may be wrong: an object that was just written would be old.
  const now = new Date(await serverTime(bus, streams.commands))
  const isQueued = (generationId: string) => hasCommand(bus, generationId)
  const options = { objects, store, keptInputs, isQueued, retention, now, signal }
  const swept = await sweepObjects({ ...options, ...(since && { since }) })
  if (isAny(swept)) log.info({ ...swept }, 'objects deleted')
  if (swept.unknown > 0)
    log.warn({ unknown: swept.unknown }, 'PDFs kept: the event store does not know their generations')
  if (swept.unknownAssets > 0)
    log.warn({ unknown: swept.unknownAssets }, 'assets kept: the event store does not know their uploads')
  // Kept objects are looked up again and reported each time, until they are deleted.
  return swept.unknown + swept.unknownAssets > 0 ? undefined : now
}

/** A dead letter may be sent again, with the input that is kept. Throws BusUnavailable. */
async function hasCommand(bus: Bus, generationId: string): Promise<boolean> {
  const subject = commandSubjects.renderOne('*', generationId)
  const message =
    (await findMessage(bus, streams.commands, subject)) ??
    (await findMessage(bus, streams.deadLetters, `dead-letters.${subject}`))
  return message !== undefined
}

const isAny = ({ orphans, expiredPdfs, expiredInputs, orphanedAssets }: Swept) =>
  orphans + expiredPdfs + expiredInputs + orphanedAssets > 0
