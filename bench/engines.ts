import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findChromium } from '@platen/service-kit/host/find-chromium.ts'
import { startNatsServer } from '../test/support/nats-server.ts'
import { measureProcesses, measureSingleNode } from './engines/deployments.ts'
import { measureEventStore } from './engines/event-stores.ts'
import { startLargeEngines } from './engines/large-engines.ts'
import { measureObjectStore } from './engines/object-stores.ts'
import { aboutThisMachine } from './machine/about.ts'
import { readOptions } from './machine/read-options.ts'
import { enginesTable } from './report/engines-report.ts'

const help = `Usage: npm run bench:engines -- [options]

Measures event stores, object stores, and one process compared with four. Without ESDB_TEST_URL and S3_TEST_URL, EventStoreDB and
S3 are fakes in processes of their own.

  --quick          a tenth of the samples
  --out <folder>   folder for engines.json (bench/results)
`
const values = readOptions(help, {
  quick: { type: 'boolean', default: false },
  out: { type: 'string', default: fileURLToPath(new URL('results', import.meta.url)) },
})
const plan = { samples: values.quick ? 40 : 400, atOnce: 32 }
const syncPlan = { samples: values.quick ? 20 : 200, atOnce: availableParallelism() }
const say = (text: string) => process.stderr.write(`bench: ${text}\n`)

await using resources = new AsyncDisposableStack()
const machine = aboutThisMachine(findChromium(process.env.CHROMIUM_PATH, process.env.PATH ?? ''))
const folder = await mkdtemp(join(tmpdir(), 'platen-bench-'))
resources.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
const { eventStore, objectStore } = resources.use(await startLargeEngines())

say('event stores')
const eventStores = [
  await measureEventStore('SQLite', `sqlite:${folder}/events.db`, plan),
  await measureEventStore(eventStore.name, eventStore.url, plan),
]
say('object stores')
const objectStores = [
  await measureObjectStore({ name: 'folder', url: `file:${folder}/objects` }, plan),
  await measureObjectStore(objectStore, plan),
]
say('deployments: one process, four processes')
const { accessKey = '', secretKey = '' } = objectStore.options ?? {}
const embedded = { EVENT_STORE_URL: `sqlite:${folder}/platen.db`, OBJECT_STORE_URL: `file:${folder}/files` }
const large = {
  EVENT_STORE_URL: eventStore.url,
  OBJECT_STORE_URL: objectStore.url,
  OBJECT_STORE_ACCESS_KEY: accessKey,
  OBJECT_STORE_SECRET_KEY: secretKey,
}
const deployments = [
  await measureSingleNode('one process, SQLite and folder', syncPlan),
  await onFreshNats('four processes, SQLite and folder', embedded),
  await onFreshNats(`four processes, ${eventStore.name} and ${objectStore.name}`, large),
]

const result = { machine, plan: { ...plan, sync: syncPlan }, eventStores, objectStores, deployments }
await mkdir(values.out, { recursive: true })
await writeFile(join(values.out, 'engines.json'), `${JSON.stringify(result, rounded, 2)}\n`)
process.stdout.write(`${enginesTable(result)}

"a second" is the throughput with "at once" concurrent operations. Fakes are test servers in memory: they show the cost of the
adapters, not of real servers. Set ESDB_TEST_URL and S3_TEST_URL to measure real servers.
${machine.cores} × ${machine.cpu}, Node ${machine.node}, load ${machine.loadBefore.toFixed(1)} before. Written: ${values.out}/engines.json
`)

async function onFreshNats(name: string, settings: Record<string, string>) {
  await using nats = await startNatsServer()
  return await measureProcesses(name, { ...settings, NATS_URL: nats.url }, syncPlan)
}

function rounded(_: string, value: unknown): unknown {
  return typeof value === 'number' ? Number(value.toPrecision(6)) : value
}
