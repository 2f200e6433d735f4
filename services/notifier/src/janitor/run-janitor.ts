import { buckets } from '@platen/domain/streams/buckets.ts'
import { commandSubjects, streams } from '@platen/domain/streams/subjects.ts'
import { repeatedly } from '@platen/foundation/runtime/repeatedly.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import { whileHoldingLease } from '@platen/messaging/key-value/lease.ts'
import { findMessage } from '@platen/messaging/streams/find-message.ts'
import { findLetterOf } from '@platen/service-kit/dead-letters/dead-letters.ts'
import type { BackingServices } from '@platen/service-kit/host/backing-services.ts'
import { KeptInputs } from '@platen/service-kit/inputs/kept-inputs.ts'
import { acknowledgedCommands } from './acknowledged-commands.ts'
import { type InputsAndLog, leftInputs } from './left-inputs.ts'
import { Ages, leftAssets, leftPdfs } from './left-objects.ts'
import type { Leftover } from './leftovers.ts'
import { removeLeftovers } from './remove-leftovers.ts'

const defaultTimes = {
  commands: { everyMs: 10_000 },
  /** A start is busy enough, and a process that stops again at once needs no janitor. */
  objects: { firstAfterMs: 60_000, everyMs: 3_600_000 },
}

type JanitorServices = Pick<
  BackingServices,
  'bus' | 'store' | 'objects' | 'retention' | 'instance' | 'hasEnded' | 'log'
>

/** Removes what crashes and time have left, in one process at a time. Resolves when `stopping` aborts. */
export function runJanitor(services: JanitorServices, stopping: AbortSignal, times = defaultTimes): Promise<void> {
  const { log } = services
  const onFault = (problem: string) => (err: unknown) => log.warn({ err }, problem)
  return whileHoldingLease({
    ...services,
    bucket: buckets.leases,
    name: 'janitor',
    holder: services.instance,
    stopping,
    async work(signal) {
      const commands = { ...times.commands, onFault: onFault('acknowledged commands not removed, retrying'), signal }
      const problem =
        'objects could not be swept: expired and orphaned objects are kept until the next sweep in an hour'
      let since: Date | undefined
      await Promise.all([
        repeatedly(commands, async () => {
          const { removed } = await removeLeftovers(acknowledgedCommands(services))
          if (removed.handledCommand) log.warn({ removed: removed.handledCommand }, 'acknowledged commands swept')
        }),
        repeatedly({ ...times.objects, onFault: onFault(problem), signal }, async () => {
          since = (await removeObjects(services, signal, since)) ?? since
        }),
      ])
    },
  })
}

/** Returns the time of a sweep that left nothing to look up again. */
async function removeObjects(services: JanitorServices, signal: AbortSignal, since: Date | undefined) {
  const { bus, objects, log } = services
  // Not the clock of this host, which may be wrong: an object that was just written would be old.
  const now = new Date(bus.clock.now())
  const isQueued = (generationId: string) => hasCommand(bus, generationId)
  const stores = { ...services, keptInputs: new KeptInputs({ bus, objects }), isQueued, signal }
  const { removed, kept } = await removeLeftovers(leftObjects(stores, new Ages(now, since)))
  if (Object.keys(removed).length > 0) log.info(removed, 'objects deleted')
  const { unknownPdf, unknownAsset } = kept
  if (unknownPdf) log.warn({ unknown: unknownPdf }, 'PDFs kept: the event store does not know their generations')
  if (unknownAsset) log.warn({ unknown: unknownAsset }, 'assets kept: the event store does not know their uploads')
  // Kept objects are looked up again and reported each time, until they are deleted. Others go at their own time.
  return unknownPdf || unknownAsset ? undefined : now
}

/** What is left over in the object store. Objects that are not Platen's are not. */
export async function* leftObjects(stores: InputsAndLog, ages: Ages): AsyncGenerator<Leftover> {
  yield* leftInputs(stores, ages)
  yield* leftPdfs(stores, ages)
  yield* leftAssets(stores, ages)
}

/** A dead letter may be sent again, with the input that is kept. Throws BusUnavailable. */
async function hasCommand(bus: Bus, generationId: string): Promise<boolean> {
  const queued = await findMessage(bus, streams.commands, commandSubjects.renderOne('*', generationId))
  return (queued ?? (await findLetterOf(bus, generationId))) !== undefined
}
