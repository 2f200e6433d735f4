import { join } from 'node:path'
import { openEventStore } from '@platen/event-store/adapters/open-event-store.ts'
import t from 'tap'
import { openViews } from '../../services/gateway/src/views/open-views.ts'
import { startFakeEventStoreDb } from '../../test/support/fake-eventstoredb/start-fake-eventstoredb.ts'
import { startNatsServer } from '../../test/support/nats-server.ts'
import { fillSqlite } from './fill-sqlite.ts'
import { history } from './history.ts'
import { measurePublish, measureRead, measureRebuild } from './measure.ts'
import { measureStarts } from './measure-start.ts'

t.setTimeout(600_000)

const recorded = [...history(2_500)]
const events = recorded.reduce((sum, { events }) => sum + events.length, 0)
const streamsOf = (category: string) =>
  new Set(recorded.map(({ stream }) => stream).filter((stream) => stream.startsWith(`${category}-`))).size

t.test('the benchmark reads, publishes and applies every event of each store', async (t) => {
  await using resources = new AsyncDisposableStack()
  const folder = t.testdir({})
  const nats = resources.use(await startNatsServer())
  const fake = resources.use(await startFakeEventStoreDb())
  for (const { stream, events } of recorded) {
    for (const { type, data, metadata } of events) await fake.write(stream, type, data, metadata)
  }
  t.equal(fillSqlite(join(folder, 'events.db'), recorded), events)
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
    t.equal(rows.length, streamsOf('generation'))
    t.ok(rows.every(({ status }) => status === 'completed'))
    t.equal(metadata.length, 2 * rows.length)
    const deliveries = views.database.db.prepare('SELECT * FROM deliveries ORDER BY id').all()
    t.equal(deliveries.length, streamsOf('delivery'))
    t.ok(deliveries.every(({ status }) => status === 'succeeded'))
    const templates = views.database.db.prepare('SELECT * FROM templates ORDER BY id').all()
    t.equal(templates.length, streamsOf('template'))
    contents.push({ rows, metadata, deliveries, templates })
    await using other = await startNatsServer()
    const engines = {
      NATS_URL: other.url,
      EVENT_STORE_URL: url,
      OBJECT_STORE_URL: `file:${folder}/objects-${contents.length}`,
    }
    const starts = await measureStarts(
      { ...engines, DATA_DIR: join(folder, `gateway-${contents.length}`) },
      { events, tail: 30 },
    )
    const ofStart = { seconds: Number, cpuSeconds: Number, memory: [Number, Number] }
    t.match(starts, { first: ofStart, later: ofStart, fromSnapshot: ofStart })
  }
  t.same(contents[0], contents[1], 'the views do not depend on the store')
})
