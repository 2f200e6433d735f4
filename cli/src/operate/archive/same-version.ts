import { type AnnouncedProcess, announcedProcesses } from '@platen/service-kit/host/announced-processes.ts'
import manifest from '../../../../package.json' with { type: 'json' }
import type { CommandContext } from '../../frame/command.ts'

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
export async function requireSameVersion({ openBus, note, refusesEarlier }: Checking): Promise<void> {
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
