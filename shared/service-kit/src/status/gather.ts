import { hostname } from 'node:os'
import { consumers, renderQueues, streams } from '@platen/domain/streams/subjects.ts'
import type { EventStore } from '@platen/event-store/event-store.ts'
import { untilAborted } from '@platen/foundation/runtime/until-aborted.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import { found } from '@platen/messaging/streams/streams.ts'
import type { ObjectStore } from '@platen/object-store/object-store.ts'
import { readDeadLetter } from '../dead-letters/dead-letters.ts'
import { type AnnouncedProcess, announcedProcesses } from '../host/announced-processes.ts'
import { disksOf } from '../host/announcement.ts'
import { durablesOf, oldestAt } from '../host/consumer-state.ts'
import { readLastBackup } from '../host/last-backup.ts'
import { statusOf } from '../relay/relay-status.ts'
import { relayNames } from '../relay/relays.ts'
import { attentionOf } from './attention.ts'
import { StatusMemory } from './status-memory.ts'
import {
  type ConsumerState,
  type DeadLetterState,
  type Engine,
  isChecked,
  type LastBackup,
  type NotChecked,
  type Part,
  type QueueState,
  type StatusReport,
  type ViewState,
} from './status-report.ts'

/** Every service of a deployment. Each is expected to run. */
export const expectedServices = ['gateway', 'template', 'renderer', 'notifier'] as const

/** The time limit for an engine to be opened and to answer, and then for each part of the report. */
const engineMs = 2_500
const partMs = 2_500
const lettersRead = 100
/** Each may have a megabyte. */
const lettersAtOnce = 10
/** A check of the object store writes a file, and that of EventStoreDB appends. */
const checkedForMs = 5_000
/** An S3 is not asked each second. */
const backupForMs = 20_000

/** How the engines of a deployment are reached. What throws is broken, and the report says so. */
export interface StatusSources {
  openStore: () => Promise<EventStore>
  openBus: () => Promise<Bus>
  openObjects: () => Promise<ObjectStore>
  /** What a person knows the stores by. */
  storeName: () => string
  objectsName: () => string
  /** The identity of the deployment. */
  deployment: (store: EventStore) => Promise<string>
  /** Folders whose disks are shown if no process says anything of its own. */
  folders: () => string[]
  /** Events that a relay has not published are counted up to this number. */
  mostEventsBehind: number
}

/** Never rejects for what is broken, and takes a few seconds at most. Who gathers often keeps the memory for the next time. */
export async function gatherStatus(sources: StatusSources, memory = new StatusMemory()): Promise<StatusReport> {
  const [nats, store, objects] = await Promise.all([
    opened('NATS', async () => {
      const bus = await sources.openBus()
      // The check forgives a short silence.
      await bus.jsm.getAccountInfo()
      await bus.check()
      return { value: bus, found: `nats-server ${bus.nats.info?.version} at ${bus.nats.getServer()}` }
    }),
    opened('event store', async () => {
      const store = await sources.openStore()
      await memory.keep('event store', checkedForMs, () => store.check({ timeoutMs: engineMs }))
      return { value: store, found: sources.storeName() }
    }),
    opened('object store', async () => {
      const objects: ObjectStore = await sources.openObjects()
      await memory.keep('object store', checkedForMs, () => objects.check())
      return { value: objects, found: sources.objectsName() }
    }),
  ])
  const onNats = <Value>(read: (bus: Bus) => Promise<Value>) => part([nats], () => read(nats.value as Bus))
  const processes = await onNats(async (bus) => (await announcedProcesses(bus)) ?? [])
  const [deployment, queues, ofSubscribers, relays, dead_letters, last_backup] = await Promise.all([
    part([store], () => sources.deployment(store.value as EventStore)),
    onNats(queuesOf),
    onNats(consumersOf),
    part([nats, store], (signal) =>
      relaysOf(store.value as EventStore, nats.value as Bus, { most: sources.mostEventsBehind, signal }),
    ),
    onNats((bus) => deadLettersOf(bus, memory)),
    part([objects], async () =>
      withAge(await memory.keep('last backup', backupForMs, () => readLastBackup(objects.value as ObjectStore))),
    ),
  ])
  const report = {
    at: new Date().toISOString(),
    attention: [],
    deployment,
    engines: [nats, store, objects].map(({ engine, ok, found }) => ({ engine, ok, found })),
    processes,
    services: serviceCounts(processes),
    queues,
    consumers: ofSubscribers,
    relays,
    ...shownByProcesses(processes),
    dead_letters,
    disks: await disksKnown(processes, sources),
    last_backup,
  }
  return { ...report, attention: attentionOf(report) }
}

type Opened<Value> = Engine & { value?: Value }

async function opened<Value>(
  engine: Engine['engine'],
  open: () => Promise<{ value: Value; found: string }>,
): Promise<Opened<Value>> {
  try {
    return { engine, ok: true, ...(await within(engineMs, open)) }
  } catch (err) {
    return { engine, ok: false, found: reasonOf(err, engineMs) }
  }
}

/** A part that needs these engines. */
async function part<Value>(
  needs: readonly Engine[],
  read: (signal: AbortSignal) => Promise<Value>,
): Promise<Part<Value>> {
  const broken = needs.find(({ ok }) => !ok)
  if (broken) return { not_checked: `${article(broken.engine)} cannot be used` }
  try {
    return await within(partMs, read)
  } catch (err) {
    return { not_checked: reasonOf(err, partMs) }
  }
}

const article = (engine: Engine['engine']) => (engine === 'NATS' ? engine : `the ${engine}`)

function within<Value>(ms: number, work: (signal: AbortSignal) => Promise<Value>): Promise<Value> {
  const signal = AbortSignal.timeout(ms)
  return untilAborted(work(signal), signal)
}

function reasonOf(err: unknown, ms: number): string {
  if (!(err instanceof Error)) return String(err)
  return err.name === 'TimeoutError' ? `no answer within ${ms / 1_000} s` : err.message
}

async function queuesOf(bus: Bus): Promise<QueueState[]> {
  // A renderer of an older version has created fewer of them.
  const queues = await Promise.all(
    renderQueues.map(async (priority): Promise<QueueState[]> => {
      const info = await found(bus.queries.consumers.info(streams.commands, consumers[priority].durable))
      if (!info) return []
      const counts = { waiting: info.num_pending, in_progress: info.num_ack_pending }
      const oldest = await oldestAt(bus, consumers[priority].filterSubject)
      return [
        {
          priority,
          ...counts,
          oldest_s: oldest === undefined ? 0 : secondsSince(oldest),
          ...(oldest !== undefined && { oldest_at: new Date(oldest).toISOString() }),
        },
      ]
    }),
  )
  if (queues.every((queue) => queue.length === 0)) throw new Error('NATS has no queues yet: no renderer was started')
  return queues.flat()
}

async function consumersOf(bus: Bus): Promise<ConsumerState[]> {
  const own = new Set<string>(Object.values(consumers).map(({ durable }) => durable))
  const all = await Promise.all(
    [streams.commands, streams.events].map(async (stream) => {
      if (!(await found(bus.queries.streams.info(stream)))) return []
      return (await durablesOf(bus, stream)).map((info): ConsumerState => {
        // The type of the client has a number.
        const lastActive = Date.parse(String(info.ack_floor.last_active ?? ''))
        return {
          stream,
          consumer: info.name,
          own: own.has(info.name),
          pending: info.num_pending,
          in_progress: info.num_ack_pending,
          redelivered: info.num_redelivered,
          ...(lastActive > 0 && {
            idle_s: secondsSince(lastActive),
            last_active_at: new Date(lastActive).toISOString(),
          }),
          read: info.num_waiting > 0 || info.push_bound === true,
        }
      })
    }),
  )
  return all.flat()
}

const secondsSince = (ms: number) => Math.max(0, (Date.now() - ms) / 1_000)

async function relaysOf(store: EventStore, bus: Bus, counting: { most: number; signal: AbortSignal }) {
  // Opening a bucket would create it.
  if (!(await found(bus.queries.streams.info(streams.events))))
    throw new Error('nothing was ever published to this NATS')
  return Promise.all(relayNames.map((relay) => statusOf(store, bus, relay, counting)))
}

async function deadLettersOf(bus: Bus, memory: StatusMemory): Promise<DeadLetterState> {
  const info = await found(bus.queries.streams.info(streams.deadLetters))
  const { messages = 0, first_seq = 1, last_seq = 0 } = info?.state ?? {}
  if (messages === 0) return { count: 0, reasons: [] }
  const from = Math.max(first_seq, last_seq - lettersRead + 1)
  const isSame = `${info?.created} ${first_seq} ${last_seq} ${messages}`
  const reasons = await memory.keep(
    'dead letters',
    Number.POSITIVE_INFINITY,
    () => reasonsOf(bus, from, last_seq),
    isSame,
  )
  return { count: messages, reasons }
}

async function reasonsOf(bus: Bus, from: number, to: number): Promise<DeadLetterState['reasons']> {
  const counts = new Map<string, number>()
  for (let first = from; first <= to; first += lettersAtOnce) {
    const seqs = Array.from({ length: Math.min(lettersAtOnce, to - first + 1) }, (_, at) => first + at)
    const letters = await Promise.all(seqs.map((seq) => readDeadLetter(bus, seq).catch(() => undefined)))
    for (const letter of letters) if (letter) counts.set(letter.reason, (counts.get(letter.reason) ?? 0) + 1)
  }
  return [...counts].map(([reason, count]) => ({ reason, count })).sort((one, two) => two.count - one.count)
}

/** Null if none is known. */
function withAge(last: { at: string; where: string } | undefined): LastBackup | null {
  return last === undefined ? null : { ...last, age_s: Math.round(secondsSince(Date.parse(last.at))) }
}

function serviceCounts(processes: Part<AnnouncedProcess[]>): Part<Record<string, number>> {
  if (!isChecked(processes)) return processes
  const living = processes.filter(({ silent }) => !silent)
  const count = (service: string) => living.filter(({ services }) => services.includes(service)).length
  return Object.fromEntries(expectedServices.map((service) => [service, count(service)]))
}

/** What only the processes know. */
function shownByProcesses(processes: Part<AnnouncedProcess[]>): Pick<StatusReport, 'views' | 'deliveries'> {
  if (!isChecked(processes)) return { views: processes, deliveries: processes }
  const living = processes.filter(({ silent }) => !silent)
  const views: ViewState[] = living.flatMap(({ instance: process, view_lag_s, deliveries }) => [
    ...(view_lag_s === undefined ? [] : [{ process, view: 'requests' as const, lag_s: view_lag_s }]),
    ...(deliveries ? [{ process, view: 'deliveries' as const, lag_s: deliveries.view_lag_s }] : []),
  ])
  // Every notifier has the same; the one that follows the log most closely knows best.
  const [newest] = living
    .flatMap(({ deliveries }) => deliveries ?? [])
    .sort((one, two) => one.view_lag_s - two.view_lag_s)
  const unknown = (service: string): NotChecked => ({ not_checked: `no ${service} says how it stands` })
  return { views: views.length > 0 ? views : unknown('gateway'), deliveries: newest ?? unknown('notifier') }
}

/** The disks that the processes report, and those of this machine, which nobody else watches if nothing runs. */
async function disksKnown(processes: Part<AnnouncedProcess[]>, sources: StatusSources): Promise<StatusReport['disks']> {
  const announced = isChecked(processes) ? processes.filter(({ silent }) => !silent) : []
  const own = announced.length === 0 ? await disksOf(sources.folders()) : []
  const all = [
    ...announced.flatMap(({ host, disks }) => disks.map((disk) => ({ host, ...disk }))),
    ...own.map((disk) => ({ host: hostname(), ...disk })),
  ]
  // Folders of one disk, and processes of one host, show the same.
  const seen = new Set<string>()
  return all.filter(({ host, free_bytes, total_bytes }) => {
    const key = `${host} ${total_bytes} ${Math.round(free_bytes / 2 ** 26)}`
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
}
