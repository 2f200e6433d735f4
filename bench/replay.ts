import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openEventStore } from '@platen/event-store/adapters/open-event-store.ts'
import { startNatsServer } from '../test/support/nats-server.ts'
import { launch } from '../test/support/platen.ts'
import { readOptions } from './machine/read-options.ts'
import { fillSqlite } from './replay/fill-sqlite.ts'
import { history } from './replay/history.ts'
import { type Measured, measurePublish, measureRead, measureRebuild } from './replay/measure.ts'
import { measureStarts, type Starts } from './replay/measure-start.ts'
import { textTable } from './report/text-table.ts'

const help = `Usage: node bench/replay.ts [options]

Reads a log, builds the views of a gateway from it, publishes it to JetStream, and starts a gateway, from SQLite and from
EventStoreDB: the server of ESDB_TEST_URL, or a fake that keeps everything in memory. The limits hold for building views from
SQLite: 50,000 events/s, and 64 MB more memory in the last half than in the first quarter. A gateway without views, but with a
snapshot of them, must be ready within 5 s with a million events and within 30 s with ten million, with 300 MB at most. Exits with
code 1 if one is missed.

  --events <n>     events of the log (1000000); ten million need 30 GB of disk
  --store <name>   sqlite or eventstoredb; both if it is not given
  --tail <n>       events that are recorded after the snapshot (10000)
  --starts         only the starts of gateways
`

const limits = { eventsPerSecond: 50_000, growthMb: 64, readyMb: 300 }
/** The limit for other numbers of events is on the line through both. */
const readyS = [
  { events: 1e6, seconds: 5 },
  { events: 10e6, seconds: 30 },
] as const

const values = readOptions(help, {
  events: { type: 'string', default: '1000000' },
  store: { type: 'string' },
  tail: { type: 'string', default: '10000' },
  starts: { type: 'boolean', default: false },
})
await using resources = new AsyncDisposableStack()
const folder = await mkdtemp(join(tmpdir(), 'platen-bench-'))
resources.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
const nats = resources.use(await startNatsServer())

const print = (text: string) => process.stdout.write(`${text}\n`)
print(`${cpus()[0]?.model}, ${availableParallelism()} cores, Node ${process.version}, ${values.events} events`)
const rows: string[][] = []
if (values.store !== 'eventstoredb') {
  const path = join(folder, 'events.db')
  const url = `sqlite:${path}`
  const events = fillSqlite(path, history(Number(values.events)))
  const started = await measureStartsOf('SQLite', url, events)
  const rebuilt = values.starts ? undefined : await measureLog('SQLite', url, events)
  showTable()
  if (rebuilt) judgeRebuild(rebuilt)
  judgeStart(started)
}
if (values.store !== 'sqlite') {
  const { name, url, events } = await openEventStoreDb()
  const started = await measureStartsOf(name, url, events)
  if (!values.starts) await measureLog(name, url, events)
  showTable()
  judgeStart(started)
}

function showTable(): void {
  const header = [
    'store',
    'what',
    'events/s',
    'seconds',
    'CPU seconds',
    'memory in MB: start, then the most per quarter; of a gateway: when it is ready, and the most',
  ]
  print(textTable(header, rows.splice(0)))
}

function judgeRebuild({ events, seconds, memory }: Measured): void {
  const rate = events / seconds
  const growth = Math.max(...memory.slice(3)) - (memory[1] ?? 0)
  print(
    `views from SQLite: ${Math.round(rate)} events/s, limit ${limits.eventsPerSecond}: ${(rate / limits.eventsPerSecond).toFixed(2)} times`,
  )
  print(`memory from the first quarter to the last half: ${growth} MB more, limit ${limits.growthMb} MB`)
  if (rate < limits.eventsPerSecond || growth > limits.growthMb) process.exitCode = 1
}

function judgeStart({ fromSnapshot, viewBytes, snapshotBytes }: Starts): void {
  const { events, seconds, memory } = fromSnapshot
  const [, mostMb = 0] = memory
  const [million, tenMillion] = readyS
  const perEvent = (tenMillion.seconds - million.seconds) / (tenMillion.events - million.events)
  const limitS = million.seconds + Math.max(0, perEvent * (Number(values.events) - million.events))
  const mb = (bytes: number) => Math.round(bytes / 1e6)
  print(
    `gateway ready from a snapshot: ${seconds.toFixed(1)} s for ${events} events, limit ${limitS.toFixed(1)} s; ${mostMb} MB, limit ` +
      `${limits.readyMb} MB; ${mb(viewBytes)} MB of views, ${mb(snapshotBytes)} MB in the object store`,
  )
  if (seconds > limitS || mostMb > limits.readyMb) process.exitCode = 1
}

async function measureStartsOf(name: string, url: string, events: number): Promise<Starts> {
  const started = await starts(url, events)
  addRows(name, [
    ['gateway ready, without views', started.first],
    ['gateway ready, later', started.later],
    ['gateway ready, without views, from a snapshot', started.fromSnapshot],
  ])
  return started
}

/** Returns the measurement of building views. */
async function measureLog(name: string, url: string, events: number): Promise<Measured> {
  const store = await openEventStore(url)
  try {
    const rebuilt = await measureRebuild(store, events, join(folder, `views-${name}.db`))
    addRows(name, [
      ['build views', rebuilt],
      ['read', await measureRead(store, events)],
      ['publish to JetStream', await measurePublish(store, events, nats.url)],
    ])
    return rebuilt
  } finally {
    await store.close()
  }
}

function addRows(name: string, cases: readonly [string, Measured][]): void {
  for (const [what, { events, seconds, cpuSeconds, memory }] of cases) {
    if (events < Number(values.events)) throw new Error(`${what}: ${events} events of ${values.events}`)
    const rate = Math.round(events / seconds).toString()
    rows.push([name, what, rate, seconds.toFixed(1), cpuSeconds.toFixed(1), memory.join(' ')])
  }
}

/** A NATS and folders of its own, because they belong to the deployment of the first event store. */
async function starts(url: string, events: number): Promise<Starts> {
  await using other = await startNatsServer()
  const dataDir = await mkdtemp(join(folder, 'gateway-'))
  const engines = { NATS_URL: other.url, EVENT_STORE_URL: url, OBJECT_STORE_URL: `file:${dataDir}/objects` }
  return await measureStarts({ ...engines, DATA_DIR: dataDir }, { events, tail: Number(values.tail) })
}

/** A server gets the history by appends, the fake directly. */
async function openEventStoreDb(): Promise<{ name: string; url: string; events: number }> {
  const { ESDB_TEST_URL } = process.env
  if (!ESDB_TEST_URL) {
    const entryPoint = fileURLToPath(new URL('replay/run-filled-fake.ts', import.meta.url))
    const fake = await launch({ entryPoint, settings: { EVENTS: String(values.events) }, readyText: '}\n' })
    resources.defer(async () => void (await fake.end()))
    return { name: 'EventStoreDB (fake)', ...JSON.parse(fake.output()) }
  }
  const store = await openEventStore(ESDB_TEST_URL)
  const recorded = history(Number(values.events))
  let events = 0
  // A stream has its events in order: those of templates are few, and appended by one.
  const appendNext = async () => {
    for (const next of recorded) {
      await store.append(next.stream, next.events, 'any')
      events += next.events.length
    }
  }
  await Promise.all(Array.from({ length: 64 }, appendNext))
  await store.close()
  return { name: 'EventStoreDB', url: ESDB_TEST_URL, events }
}
