import { setTimeout as delay } from 'node:timers/promises'
import { openEventStore } from '@platen/event-store/adapters/open-event-store.ts'
import type { EventStore } from '@platen/event-store/event-store.ts'
import { startFakeEventStoreDb } from '../test/support/fake-eventstoredb/start-fake-eventstoredb.ts'
import { storeWith } from '../test/support/store-with.ts'
import { openTemporaryStore } from '../test/support/temporary-store.ts'
import { readOptions } from './machine/read-options.ts'
import { median } from './machine/statistics.ts'
import { significant, textTable } from './report/text-table.ts'
import { streamCases } from './streams/cases.ts'

const help = `Usage: node bench/streams.ts [options]

Changes and reads aggregates with short and with long streams, in turn: a template with 50 and with 5,000 versions, for example, and
an asset library after 400 and 20,000 uploads. From SQLite and from EventStoreDB: the server of ESDB_TEST_URL, or a fake that keeps
everything in memory. Prints the median in milliseconds, and the events and bytes of one operation. With a long stream it may take
1.5 times as long as with a short one, and 0.2 ms more. Exits with code 1 above that.

  --rounds <n>     of each operation (40)
  --store <name>   sqlite or eventstoredb; both if it is not given
  --only <text>    only the aggregates whose name contains this text
`

const limit = 1.5
/** A turn of the event loop, which a short read may take as well. */
const slackMs = 0.2
/** What was recorded before is not looked at for the events of a command. */
const recentMs = 6_000

const values = readOptions(help, {
  rounds: { type: 'string', default: '40' },
  store: { type: 'string' },
  only: { type: 'string', default: '' },
})

interface Cost {
  ms: number[]
  events: number
  bytes: number
}

/** A store that counts what is read from it. */
function counted(store: EventStore, cost: Cost): EventStore {
  return storeWith(store, {
    async *readStream(...args) {
      for await (const event of store.readStream(...args)) {
        cost.events++
        cost.bytes += JSON.stringify([event.data, event.metadata]).length
        yield event
      }
    },
  })
}

const rows: string[][] = []

async function measure(engine: string, store: EventStore): Promise<void> {
  for (const { name, lengths, open } of streamCases.filter((each) => each.name.includes(values.only))) {
    const opened = await Promise.all(lengths.map((length) => open(store, length)))
    await delay(recentMs)
    for (const operation of Object.keys(opened[0] ?? {})) {
      const costs = opened.map((): Cost => ({ ms: [], events: 0, bytes: 0 }))
      // The first round compiles the code.
      for (let round = -1; round < Number(values.rounds); round++) {
        for (const at of round % 2 ? [1, 0] : [0, 1]) {
          const [cost, operate] = [costs[at], opened[at]?.[operation]]
          if (!cost || !operate) continue
          const startedAt = performance.now()
          await operate(store, round)
          if (round >= 0) cost.ms.push(performance.now() - startedAt)
        }
      }
      for (const [at, cost] of costs.entries()) await opened[at]?.[operation]?.(counted(store, cost), 1_000_000)
      report([engine, name, operation], costs)
    }
  }
}

function report(what: string[], costs: readonly Cost[]): void {
  const [short = Number.NaN, long = Number.NaN] = costs.map(({ ms }) => median(ms))
  const isMissed = !(long <= limit * short + slackMs)
  if (isMissed) process.exitCode = 1
  const read = costs.flatMap(({ events, bytes }) => [String(events), String(bytes)])
  rows.push([...what, ...[short, long, long / short].map(significant), ...read, isMissed ? 'missed' : ''])
}

if (values.store !== 'eventstoredb') {
  await using temporary = await openTemporaryStore()
  await measure('SQLite', temporary.store)
}
if (values.store !== 'sqlite') {
  const { ESDB_TEST_URL } = process.env
  await using fake = ESDB_TEST_URL ? undefined : await startFakeEventStoreDb()
  const store = await openEventStore(ESDB_TEST_URL ?? fake?.url ?? '')
  await measure(ESDB_TEST_URL ? 'EventStoreDB' : 'EventStoreDB (fake)', store)
  await store.close()
}
const header = [
  'store',
  'aggregate',
  'operation',
  'short ms',
  'long ms',
  'ratio',
  'events',
  'bytes',
  'events',
  'bytes',
  '',
]
process.stdout.write(`${textTable(header, rows)}\n`)
