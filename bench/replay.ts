import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openEventStore } from '@platen/event-store/adapters/open-event-store.ts'
import { startNatsServer } from '../test/support/nats-server.ts'
import { launch } from '../test/support/platen.ts'
import { readOptions } from './machine/read-options.ts'
import { fillSqlite } from './replay/fill-sqlite.ts'
import { eventsOfGeneration, eventsPerGeneration } from './replay/history.ts'
import { type Measured, measurePublish, measureRead, measureRebuild } from './replay/measure.ts'
import { measureStarts } from './replay/measure-start.ts'
import { textTable } from './report/text-table.ts'

const help = `Usage: node bench/replay.ts [options]

Reads a log, builds the views of a gateway from it, publishes it to JetStream, and starts a gateway, from SQLite and from
EventStoreDB: the server of ESDB_TEST_URL, or a fake that keeps everything in memory. The limits hold for building views from
SQLite: 50,000 events/s, and 64 MB more memory in the last half than in the first quarter. A gateway without views, but with a
snapshot of them, must be ready 5 s after its start for each million events, with 300 MB. Exits with code 1 if one is missed.

  --events <n>     events of the log (1000000)
  --store <name>   sqlite or eventstoredb; both if it is not given
`

const limits = { eventsPerSecond: 50_000, growthMb: 64, readySPerMillion: 5, readyMb: 300 }
/** A process is not ready sooner, whatever it has to read. */
const leastReadyS = 2

const values = readOptions(help, { events: { type: 'string', default: '1000000' }, store: { type: 'string' } })
const generations = Math.ceil(Number(values.events) / eventsPerGeneration)
const events = generations * eventsPerGeneration
await using resources = new AsyncDisposableStack()
const folder = await mkdtemp(join(tmpdir(), 'platen-bench-'))
resources.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
const nats = resources.use(await startNatsServer())

const print = (text: string) => process.stdout.write(`${text}\n`)
print(`${cpus()[0]?.model}, ${availableParallelism()} cores, Node ${process.version}, ${events} events`)
const rows: string[][] = []
if (values.store !== 'eventstoredb') {
  const path = join(folder, 'events.db')
  fillSqlite(path, generations)
  const { rebuilt, fromSnapshot } = await measureAll('SQLite', `sqlite:${path}`)
  const rate = rebuilt.events / rebuilt.seconds
  const growth = Math.max(...rebuilt.memory.slice(3)) - (rebuilt.memory[1] ?? 0)
  showTable()
  print(
    `views from SQLite: ${Math.round(rate)} events/s, limit ${limits.eventsPerSecond}: ${(rate / limits.eventsPerSecond).toFixed(2)} times`,
  )
  print(`memory from the first quarter to the last half: ${growth} MB more, limit ${limits.growthMb} MB`)
  if (rate < limits.eventsPerSecond || growth > limits.growthMb) process.exitCode = 1
  judgeStart(fromSnapshot)
}
if (values.store !== 'sqlite') {
  const { name, url } = await openEventStoreDb()
  const { fromSnapshot } = await measureAll(name, url)
  showTable()
  judgeStart(fromSnapshot)
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

function judgeStart({ seconds, memory: [, mostMb = 0] }: Measured): void {
  const limitS = Math.max(leastReadyS, (limits.readySPerMillion * events) / 1e6)
  print(
    `gateway ready from a snapshot: ${seconds.toFixed(1)} s, limit ${limitS} s; ${mostMb} MB, limit ${limits.readyMb} MB`,
  )
  if (seconds > limitS || mostMb > limits.readyMb) process.exitCode = 1
}

/** Returns the measurements of building views, and of the start from a snapshot. */
async function measureAll(name: string, url: string): Promise<{ rebuilt: Measured; fromSnapshot: Measured }> {
  const store = await openEventStore(url)
  try {
    const started = await starts(url)
    const rebuilt = await measureRebuild(store, events, join(folder, `views-${rows.length}-${name}.db`))
    const cases: [string, Measured][] = [
      ['build views', rebuilt],
      ['read', await measureRead(store, events)],
      ['publish to JetStream', await measurePublish(store, events, nats.url)],
      ['gateway ready, without views', started.first],
      ['gateway ready, later', started.later],
      ['gateway ready, without views, from a snapshot', started.fromSnapshot],
    ]
    for (const [what, { events: count, seconds, cpuSeconds, memory }] of cases) {
      if (count < events) throw new Error(`${what}: ${count} events of ${events}`)
      const rate = Math.round(count / seconds).toString()
      rows.push([name, what, rate, seconds.toFixed(1), cpuSeconds.toFixed(1), memory.join(' ')])
    }
    return { rebuilt, fromSnapshot: started.fromSnapshot }
  } finally {
    await store.close()
  }
}

/** A NATS and folders of its own, because they belong to the deployment of the first event store. */
async function starts(url: string) {
  await using other = await startNatsServer()
  const dataDir = await mkdtemp(join(folder, 'gateway-'))
  const engines = { NATS_URL: other.url, EVENT_STORE_URL: url, OBJECT_STORE_URL: `file:${dataDir}/objects` }
  return await measureStarts({ ...engines, DATA_DIR: dataDir }, events)
}

/** A server gets the history by appends, the fake directly. */
async function openEventStoreDb(): Promise<{ name: string; url: string }> {
  const { ESDB_TEST_URL } = process.env
  if (!ESDB_TEST_URL) {
    const entryPoint = fileURLToPath(new URL('replay/run-filled-fake.ts', import.meta.url))
    const fake = await launch({ entryPoint, settings: { GENERATIONS: String(generations) }, readyText: '}\n' })
    resources.defer(async () => void (await fake.end()))
    return { name: 'EventStoreDB (fake)', url: JSON.parse(fake.output()).url }
  }
  const store = await openEventStore(ESDB_TEST_URL)
  let next = 0
  const appendNext = async () => {
    while (next < generations) {
      const { stream, events } = eventsOfGeneration(next++)
      await store.append(stream, events, 'none')
    }
  }
  await Promise.all(Array.from({ length: 64 }, appendNext))
  await store.close()
  return { name: 'EventStoreDB', url: ESDB_TEST_URL }
}
