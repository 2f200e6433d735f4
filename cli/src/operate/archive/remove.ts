import { knownCategories } from '@platen/domain/catalogue/event-catalogue.ts'
import { openEventRemoval } from '@platen/event-store/adapters/open-event-removal.ts'
import { type RemovedOfSegment, removeEvents } from '@platen/event-store/archive/remove-events.ts'
import { readConfig } from '@platen/foundation/settings/config.ts'
import { type AnnouncedProcess, announcedProcesses } from '@platen/service-kit/host/announced-processes.ts'
import manifest from '../../../../package.json' with { type: 'json' }
import { type CommandContext, defineCommand } from '../../frame/command.ts'
import { readEventStoreUrl, sqlitePathOf } from '../../frame/open-services.ts'
import { dryRun, duration, UsageError } from '../../frame/options.ts'
import { isOver, removableCategories } from './is-over.ts'

const mostNamed = 3

interface Checking extends Pick<CommandContext, 'openBus' | 'note'> {
  /** Whether the event store refuses a process of an earlier version that is started later. */
  refusesEarlier: boolean
}

/**
 * Throws if a process of another version is announced, as `platen status` shows it: one that does not know removals takes a removed
 * generation for one that has no file, and deletes it. Without NATS, which every service needs, an event store that refuses earlier
 * versions is enough.
 */
async function requireSameVersion({ openBus, note, refusesEarlier }: Checking): Promise<void> {
  const bus = await openBus().catch((err) => {
    if (!refusesEarlier) throw err
    note(`which versions are running was not checked: ${err.message}`)
    return undefined
  })
  if (!bus) return
  const others = ((await announcedProcesses(bus)) ?? []).filter(({ version }) => version !== manifest.version)
  if (others.length === 0) return
  const more = others.length > mostNamed ? `, and ${others.length - mostNamed} more` : ''
  throw new Error(
    `processes of other versions are announced: ${others.slice(0, mostNamed).map(named).join(', ')}${more}. ` +
      `Replace every process by version ${manifest.version} first: an earlier one deletes files of what is removed`,
  )
}

const named = ({ program, version, host, pid }: AnnouncedProcess): string =>
  `${program} ${version} (process ${pid} on ${host})`

/** Readers rely on it that younger events are in the log, as the clocks of machines differ. */
const leastAgeMs = 24 * 3_600_000

export const removeArchived = defineCommand({
  name: 'archive remove',
  summary:
    'remove the events of ended generations, deliveries and batches from the log, after it has found all of them in the archive',
  options: {
    'older-than': { ...duration('only if nothing was recorded of it for so long; at least 1d'), required: true },
    ...dryRun,
  },
  notes: [
    'Every command and service reads these events from the archive then, which must be kept as long as the event store.',
    'It can be interrupted and repeated at any time, while Platen is running or not. Every process must have the version of this',
    'command, and an earlier one does not work with the event store any more.',
  ],
  async run(
    { openLog, openObjects, openBus, env, print, note, progress, signal },
    { json, 'dry-run': isDry, ...values },
  ) {
    const age = values['older-than']
    if (age < leastAgeMs) throw new UsageError('--older-than must be at least 1d')
    const now = Date.now()
    const [store, objects] = [await openLog(), await openObjects()]
    const url = readConfig(env, readEventStoreUrl)
    await requireSameVersion({ openBus, note, refusesEarlier: sqlitePathOf(url) !== undefined })
    await using opened = new AsyncDisposableStack()
    const open = async () => opened.adopt(await openEventRemoval(url), (it) => it.close())
    const removal = isDry ? undefined : await open()
    const total = { streams: 0, events: 0, bytes: 0 }
    {
      using bar = progress('removing events')
      const removing = removeEvents({
        store,
        objects,
        removal,
        categories: removableCategories,
        known: [...knownCategories],
        signal,
        before: new Date(now - age),
        isOver: (stream, events) => isOver(stream, events, now),
      })
      for await (const { segment, ...removed } of removing) {
        for (const name of ['streams', 'events', 'bytes'] as const) total[name] += removed[name]
        bar.at(total.events)
        if (!json) print(lineOf({ segment, ...removed }, isDry))
      }
    }
    if (total.events === 0) note('nothing to remove')
    if (removal === undefined) return json && print(JSON.stringify({ ...total, dry_run: true }))
    const freed = await removal.reclaim()
    if (json) return print(JSON.stringify({ ...total, freed_bytes: freed ?? null }))
    if (total.events > 0) print(`${total.events} events removed, ${total.bytes} bytes; ${spaceOf(freed)}`)
  },
})

function lineOf({ segment, streams, events, bytes }: RemovedOfSegment, isDry: boolean): string {
  const state = isDry ? 'would be removed' : 'removed'
  return `segment ${segment}  ${streams} streams  ${events} events  ${bytes} bytes  ${state}`
}

function spaceOf(freed: number | undefined): string {
  if (freed === undefined) return 'a scavenge of the server frees the disk'
  return freed > 0 ? `the file is ${freed} bytes smaller` : 'the space in the file is used for new events'
}
