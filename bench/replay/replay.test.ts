import { join } from 'node:path'
import { openEventStore } from '@platen/event-store/adapters/open-event-store.ts'
import t from 'tap'
import { openViews } from '../../services/gateway/src/views/open-views.ts'
import { startFakeEventStoreDb } from '../../test/support/fake-eventstoredb/start-fake-eventstoredb.ts'
import { startNatsServer } from '../../test/support/nats-server.ts'
import { fillSqlite } from './fill-sqlite.ts'
import { eventsOfGeneration, eventsPerGeneration } from './history.ts'
import { measurePublish, measureRead, measureRebuild } from './measure.ts'
import { measureStarts } from './measure-start.ts'

t.setTimeout(600_000)

const generations = 700
const events = generations * eventsPerGeneration

t.test('the benchmark reads, publishes and applies every event of each store', async (t) => {
  await using resources = new AsyncDisposableStack()
  const folder = t.testdir({})
  const nats = resources.use(await startNatsServer())
  const fake = resources.use(await startFakeEventStoreDb())
  for (let number = 0; number < generations; number++) {
    const { stream, events } = eventsOfGeneration(number)
    for (const { type, data, metadata } of events) await fake.write(stream, type, data, metadata)
  }
  fillSqlite(join(folder, 'events.db'), generations)
  const contents: unknown[] = []
  for (const url of [`sqlite:${folder}/events.db`, fake.url]) {
    const store = resources.adopt(await openEventStore(url), (opened) => opened.close())
    const path = join(folder, `views-${contents.length}.db`)
    t.match(await measureRead(store, events), { events })
    t.match(await measurePublish(store, events, nats.url), { events })
    t.match(await measureRebuild(store, events, path), { events })
    using views = openViews(path)
    const rows = views.database.db.prepare('SELECT * FROM generations ORDER BY id').all()
    const metadata = views.database.db.prepare('SELECT * FROM generation_metadata').all()
    t.equal(rows.length, generations)
    t.ok(rows.every(({ status }) => status === 'completed'))
    t.equal(metadata.length, 2 * generations)
    contents.push({ rows, metadata })
    await using other = await startNatsServer()
    const engines = {
      NATS_URL: other.url,
      EVENT_STORE_URL: url,
      OBJECT_STORE_URL: `file:${folder}/objects-${contents.length}`,
    }
    const starts = await measureStarts({ ...engines, DATA_DIR: join(folder, `gateway-${contents.length}`) }, events)
    const ofStart = { seconds: Number, cpuSeconds: Number, memory: [Number, Number] }
    t.match(starts, { first: ofStart, later: ofStart, fromSnapshot: ofStart })
  }
  t.same(contents[0], contents[1], 'the views do not depend on the store')
})
