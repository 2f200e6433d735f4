import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findChromium } from '@platen/service-kit/host/find-chromium.ts'
import { aboutThisMachine } from './machine/about.ts'
import { readOptions } from './machine/read-options.ts'
import { scaleChart } from './report/scale-chart.ts'
import { scaleTables } from './report/scale-report.ts'
import { measureFlush, measureStream } from './scale/disk-limits.ts'
import { measureRow } from './scale/measure-row.ts'
import { type DeploymentName, deploymentNames, type Pace, type ScaleResult, type Workload } from './scale/result.ts'

const help = `Usage: node bench/scale.ts [options]

Measures what grows with the number of processes: 1 to 4 gateways, renderers and notifiers, and the relay, in processes of their
own, with a nats-server that flushes each message. In the place of Chromium is a stand-in that "prints" in a fixed time and returns
a PDF of a fixed size, so that all but Chromium is measured. Each unit of a gateway, a renderer and a notifier has a core of its own,
by taskset; where there are fewer cores than units they share them. The relay is on the core of the first unit; with 2 and 4 units
it runs once more in as many partitions, each in a process on the core of a unit.

Two runs of each size: paced, where prints take ${printMs('paced')} ms and the slots of the renderers limit the rate, and saturated, where prints take
${printMs('saturated')} ms and the processors do. It prints processor time a document by part, messages, bytes, flushes, appends and requests to S3, what was
full, and the rate that the costs of the paced runs predict for each run.

  --sizes <list>        numbers of units (1,2,3,4)
  --deployments <list>  one, sqlite, eventstoredb: all services in one process; processes with SQLite and a folder; processes with
                        EventStoreDB and S3 (one,sqlite,eventstoredb). The first two are measured with one unit
  --documents <n>       of each run, after 150 of each unit that warm it up (600)
  --pdf-bytes <n>       size of each PDF (30000)
  --out <folder>        folder for scale.json and scale.svg (bench/results)

Limits of what it says: on a machine with few cores the saturated runs share them with nats-server, the stores and the client, which
the table names. EventStoreDB and S3 are those of ESDB_TEST_URL and S3_TEST_URL; without these they are fakes of this repository,
whose processor time says nothing of real servers. Flushes are counted by root only. Run it while nothing else runs.
`

function printMs(pace: Pace): number {
  return pace === 'paced' ? 200 : 5
}

const names: Record<string, DeploymentName> = {
  one: deploymentNames[0],
  sqlite: deploymentNames[1],
  eventstoredb: deploymentNames[2],
}
const slots = 4

const values = readOptions(help, {
  sizes: { type: 'string', default: '1,2,3,4' },
  deployments: { type: 'string', default: Object.keys(names).join() },
  documents: { type: 'string', default: '600' },
  'pdf-bytes': { type: 'string', default: '30000' },
  out: { type: 'string', default: fileURLToPath(new URL('results', import.meta.url)) },
})
const say = (text: string) => process.stderr.write(`bench: ${text}\n`)
const bytes = Number(values['pdf-bytes'])
const sizes = values.sizes.split(',').map(Number)
const documents = Number(values.documents)
const wanted = values.deployments.split(',').flatMap((name) => names[name] ?? [])

const machine = aboutThisMachine(findChromium(process.env.CHROMIUM_PATH, process.env.PATH ?? ''))
if (machine.loadBefore > machine.cores / 2) say(`other programs use this machine (load ${machine.loadBefore})`)
say('the disk')
const flushMs = await measureFlush()
const streamPerS = await measureStream(5)

interface Run {
  name: DeploymentName
  size: number
  partitions: number
  workload: Workload
  pace: Pace
}
const runsOf = (name: DeploymentName): Run[] => {
  const grows = name === 'processes, EventStoreDB'
  const both = (size: number, partitions = 1): Run[] =>
    (['paced', 'saturated'] as const).map((pace) => ({ name, size, partitions, workload: 'sync', pace }))
  const webhook: Run = { name, size: 1, partitions: 1, workload: 'webhook', pace: 'paced' }
  const divided = sizes.filter((size) => size === 2 || size === 4).flatMap((size) => both(size, size))
  return grows ? [...sizes.flatMap((size) => both(size)), ...divided, webhook] : both(1)
}

const { ESDB_TEST_URL, S3_TEST_URL } = process.env
const engines = {
  eventStore: ESDB_TEST_URL ? 'EventStoreDB' : 'fake of EventStoreDB',
  objectStore: S3_TEST_URL ? 'S3' : 'fake of S3',
}
const result: ScaleResult = { machine, pdfBytes: bytes, engines, flushMs, streamPerS, rows: [] }
await mkdir(values.out, { recursive: true })
// Those that the costs are from come first, and each is written at once: a run of minutes may be interrupted.
const runs = wanted.flatMap(runsOf).toSorted((one, other) => one.pace.localeCompare(other.pace))
for (const { name, size, partitions, workload, pace } of runs) {
  say(`${name}: ${size} of each, ${partitions} of the relay, ${pace}, ${workload}`)
  const times = { warmUp: 150, documents, settleMs: 4_000, restMs: 5_000 }
  const print = { ms: printMs(pace), bytes }
  result.rows.push(await measureRow({ name, size, partitions, workload, pace, slots, print, ...times }))
  await writeFile(join(values.out, 'scale.json'), `${JSON.stringify(result, rounded, 2)}\n`)
}
await writeFile(join(values.out, 'scale.svg'), scaleChart(result))
process.stdout.write(`${scaleTables(result)}\n\nWritten: ${values.out}/scale.json and scale.svg\n`)

/** Rounds to four significant digits. */
function rounded(_: string, value: unknown): unknown {
  return typeof value === 'number' ? Number(value.toPrecision(4)) : value
}
