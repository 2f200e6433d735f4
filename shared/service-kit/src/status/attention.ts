import type { AnnouncedProcess } from '../host/announced-processes.ts'
import { partsOf, type RelayStatus } from '../relay/relay-status.ts'
import { shortDuration, shortSize } from './duration.ts'
import { idleConsumerS, lateDeliveryS, lateRelayS, lateViewS, leastFreeBytes, oldBackupS, oldQueueS } from './limits.ts'
import {
  type Attention,
  type ConsumerState,
  type Engine,
  isChecked,
  type NotChecked,
  type Part,
  type StatusReport,
} from './status-report.ts'

/** A start takes seconds, unless views are built. */
const longStartS = 60

type Found = Omit<Attention, 'level'>

/** What deserves attention, the worst first. What depends on something that is broken is not reported beside it. */
export function attentionOf(report: StatusReport): Attention[] {
  const wrong = [
    ...report.engines.filter(({ ok }) => !ok).map(brokenEngine),
    ...uncheckedParts(report),
    ...missingServices(report),
    ...of(report.processes, (processes) => processes.flatMap(wrongProcess)),
    ...of(report.queues, (queues) =>
      queues
        .filter(({ oldest_s }) => oldest_s > oldQueueS)
        .map(({ priority, waiting, in_progress, oldest_s }) => ({
          what: `queue ${priority}`,
          found: `${plural(waiting + in_progress, 'document')}; the oldest has waited for ${shortDuration(oldest_s)}`,
          remedy: 'add renderers, or see why those that run take nothing: doctor, their logs',
        })),
    ),
    ...of(report.relays, (relays) => relays.flatMap(wrongRelay)),
    ...of(report.views, (views) =>
      views
        .filter(({ lag_s }) => lag_s > lateViewS)
        .map(({ process, view, lag_s }) => ({
          what: 'views',
          found: `those of ${view} in ${process} are ${shortDuration(lag_s)} behind the log`,
          remedy: 'read the log of the process; views check',
        })),
    ),
    ...of(report.deliveries, ({ overdue_s }) =>
      overdue_s > lateDeliveryS
        ? [
            {
              what: 'webhooks',
              found: `the oldest attempt has been due for ${shortDuration(overdue_s)}`,
              remedy: 'read the log of the notifiers',
            },
          ]
        : [],
    ),
    ...of(report.dead_letters, ({ count, reasons }) =>
      count > 0
        ? [
            {
              what: 'dead letters',
              found: `${plural(count, 'message')} could not be handled${reasons[0] ? `: ${reasons[0].reason}` : ''}`,
              remedy: 'dead-letters list, dead-letters retry, dead-letters drop',
            },
          ]
        : [],
    ),
    ...report.disks
      .filter(({ free_bytes }) => free_bytes < leastFreeBytes)
      .map(({ host, path, free_bytes }) => ({
        what: 'disk',
        found: `${shortSize(free_bytes)} are free for ${path} on ${host}`,
        remedy: 'free some space: docs/operate/what-grows.md',
      })),
  ]
  const notes = [
    ...of(report.processes, differentVersions),
    ...of(report.consumers, (consumers) => consumers.flatMap(idleConsumer)),
    ...of(report.deliveries, ({ receivers_failing, receivers_disabled }) => [
      ...(receivers_failing > 0
        ? [
            {
              what: 'webhooks',
              found: `${plural(receivers_failing, 'receiver')} ${receivers_failing === 1 ? 'fails' : 'fail'}`,
              remedy:
                'deliveries list --status exhausted, or pending; deliveries show <id> says what it answers; ' +
                'when it works again: deliveries redeliver --all-owners --since 1d',
            },
          ]
        : []),
      ...(receivers_disabled > 0
        ? [
            {
              what: 'webhooks',
              found: `${plural(receivers_disabled, 'receiver')} ${receivers_disabled === 1 ? 'gets' : 'get'} none any more`,
              remedy:
                'deliveries list --status exhausted names them; ' +
                'when they work again: deliveries redeliver --all-owners --since 1d',
            },
          ]
        : []),
    ]),
    // The rights to read it are optional.
    ...uncheckedPart(report, 'last_backup'),
    ...of(report.last_backup, (backup) =>
      backup === null || backup.age_s > oldBackupS
        ? [
            {
              what: 'backup',
              found: backup === null ? 'none is known' : `the last one is ${shortDuration(backup.age_s)} old`,
              remedy: 'backup <folder>, or that of your engines: docs/operate/backup.md',
            },
          ]
        : [],
    ),
  ]
  return [
    ...wrong.map((found): Attention => ({ level: 'wrong', ...found })),
    ...notes.map((found): Attention => ({ level: 'note', ...found })),
  ]
}

/** The findings in a part of the report. A part that was not checked has none. */
function of<Value>(part: Part<Value>, look: (value: Value) => Found[]): Found[] {
  return isChecked(part) ? look(part) : []
}

/** What has to be checked, and with which engines. The others are known from the processes. */
const checkedWith = {
  deployment: ['event store'],
  processes: ['NATS'],
  queues: ['NATS'],
  consumers: ['NATS'],
  dead_letters: ['NATS'],
  relays: ['NATS', 'event store'],
  last_backup: ['object store'],
} as const satisfies Partial<Record<keyof StatusReport, readonly Engine['engine'][]>>

type CheckedPart = keyof typeof checkedWith

/** A part that could not be checked may be wrong. */
const uncheckedParts = (report: StatusReport): Found[] =>
  (Object.keys(checkedWith) as CheckedPart[])
    .filter((name) => name !== 'last_backup')
    .flatMap((name) => uncheckedPart(report, name))

/**
 * A note that the part was not checked. None if an engine that it needs is broken, because that is reported already.
 */
function uncheckedPart(report: StatusReport, name: CheckedPart): Found[] {
  const { not_checked } = (report[name] ?? {}) as Partial<NotChecked>
  const isUsable = (needed: Engine['engine']) => report.engines.some(({ engine, ok }) => engine === needed && ok)
  if (not_checked === undefined || !checkedWith[name].every(isUsable)) return []
  const found = `it could not be checked: ${not_checked}`
  return [
    { what: name.replace('_', ' '), found, remedy: 'run it again; doctor says what is refused or does not answer' },
  ]
}

const plural = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`

const remedies = {
  NATS: 'see that nats-server (or npm start) runs, and that NATS_URL and its login are right',
  'event store': 'see that it runs, and that EVENT_STORE_URL or DATA_DIR is right',
  'object store': 'see that it runs, and that OBJECT_STORE_URL and its keys are right',
}

function brokenEngine({ engine, found }: Engine): Found {
  return { what: engine, found, remedy: remedies[engine] }
}

const consequences: Record<string, string> = {
  gateway: 'there is no API',
  template: 'changes of templates and partials are refused after 4.5 s',
  renderer: 'no document is printed',
  notifier: 'webhooks wait',
}

export function missingServices({ services }: StatusReport): Found[] {
  return of(services, (counts) =>
    Object.entries(counts)
      .filter(([, count]) => count === 0)
      .map(([service]) => ({
        what: service,
        found: `no process runs: ${consequences[service]}`,
        remedy: 'start one; its log says why the last one ended',
      })),
  )
}

export const isRunning = ({ silent, state }: AnnouncedProcess) => !silent && state === 'running'

export const nameOf = ({ program, host, pid }: AnnouncedProcess) => `${program} on ${host} (process ${pid})`

function wrongProcess(process: AnnouncedProcess): Found[] {
  const { program, state, silent, seen_s, started_at, seen_at, reasons } = process
  if (silent) {
    const found = `${nameOf(process)} has given no sign for ${shortDuration(seen_s)}`
    return [
      { what: program, found, remedy: 'it was killed, hangs, or does not reach NATS: see its log, start it again' },
    ]
  }
  const age = (Date.parse(seen_at) - Date.parse(started_at)) / 1_000
  if (state === 'starting' && age > longStartS) {
    const why = Object.values(reasons)[0] ?? 'its log says what it waits for'
    return [{ what: program, found: `${nameOf(process)} has been starting for ${shortDuration(age)}`, remedy: why }]
  }
  if (state !== 'running') return []
  return Object.entries(reasons).map(([check, reason]) => ({
    what: program,
    found: `${nameOf(process)} is not ready: ${check}: ${reason}`,
    remedy: 'docs/operate/runbooks/PlatenIsNotReady.md',
  }))
}

function wrongRelay(status: RelayStatus): Found[] {
  const { relay, state, reason } = status
  if (state === 'other_event_store')
    return [{ what: `relay ${relay}`, found: reason ?? '', remedy: 'deployment claim' }]
  if (state !== 'behind') return []
  return partsOf(status).flatMap(({ name, behind, oldest, held_by }) => {
    const age = oldest === undefined ? 0 : (Date.now() - Date.parse(oldest)) / 1_000
    if (age < lateRelayS) return []
    const found = `${plural(behind, 'event')} ${behind === 1 ? 'is' : 'are'} not published for ${shortDuration(age)}`
    const remedy = held_by ? `read the log of ${held_by}` : `start a ${relay}`
    return [{ what: `relay ${name}`, found, remedy }]
  })
}

function idleConsumer({ consumer, own, pending, in_progress, idle_s }: ConsumerState): Found[] {
  if (pending + in_progress === 0 || (idle_s ?? Number.POSITIVE_INFINITY) < idleConsumerS) return []
  // Documents of a queue that waits are reported with their age.
  if (own && idle_s === undefined) return []
  const since =
    idle_s === undefined ? 'it has handled none yet' : `the last one was handled ${shortDuration(idle_s)} ago`
  return [
    {
      what: own ? 'consumer' : 'subscriber',
      found: `${consumer} is ${plural(pending + in_progress, 'message')} behind; ${since}`,
      remedy: own ? 'see that its service runs' : `start it, or remove it: nats consumer rm EVENTS ${consumer}`,
    },
  ]
}

function differentVersions(processes: AnnouncedProcess[]): Found[] {
  const versions = [...new Set(processes.filter(({ silent }) => !silent).map(({ version }) => version))].sort()
  if (versions.length < 2) return []
  return [{ what: 'versions', found: `processes of ${versions.join(' and ')} run`, remedy: 'finish the update' }]
}
