import { cp, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { openObjectStore } from '@platen/object-store/adapters/open-object-store.ts'
import { startFakeEventStoreDb } from '@platen/test-support/fake-eventstoredb/start-fake-eventstoredb.ts'
import { storeWith } from '@platen/test-support/store-with.ts'
import t, { type Test } from 'tap'
import { openEventRemoval } from '../adapters/open-event-removal.ts'
import { openEventStore } from '../adapters/open-event-store.ts'
import { movedToArchive } from '../event-catalogue.ts'
import type { EventRemoval } from '../event-removal.ts'
import type { EventStore, StoredEvent } from '../event-store.ts'
import { archiveLog } from './archive-log.ts'
import { removeEvents } from './remove-events.ts'
import { withArchive } from './with-archive.ts'

// Each removal is stopped at one of its writes, before it or after it, as by kill -9.

t.setTimeout(600_000)

const title = 'a removal that is stopped at any write loses nothing, and is ended by the next one'
const categories = ['job', 'owner']
const jobs = 6

class Killed extends Error {}

/** Stops at the write with this number. Even numbers: before it; odd ones: after it, without its answer. */
function killer(at: number) {
  let step = 0
  return async <Value>(write: () => Promise<Value>): Promise<Value> => {
    if (step++ === at) throw new Killed()
    const value = await write()
    if (step++ === at) throw new Killed()
    return value
  }
}

async function collect<Value>(values: AsyncIterable<Value>): Promise<Value[]> {
  const all: Value[] = []
  for await (const value of values) all.push(value)
  return all
}

interface Given {
  url: string
  store: EventStore
  objectsUrl: string
}

/** Whole streams and the log, as readers see them. */
async function seen({ store }: Pick<Given, 'store'>) {
  const log = await collect(store.readLog({ after: 'start', categories }))
  const streams: Record<string, StoredEvent[]> = {}
  for (let job = 0; job < jobs; job++) {
    const events = await collect(store.readStream(`job-${job}`))
    streams[job] = events.filter(({ type }) => type !== movedToArchive)
  }
  return { log, streams }
}

/** Resolves to the number of events that are left in the log of an ended job. */
async function removed(given: Given, at: number): Promise<void> {
  const { store, url, objectsUrl } = given
  const kill = killer(at)
  await using opened = new AsyncDisposableStack()
  const objects = opened.adopt(await openObjectStore(objectsUrl), (it) => it.close())
  const removal = opened.adopt(await openEventRemoval(url), (it: EventRemoval) => it.close())
  const removing = removeEvents({
    store: storeWith(store, { append: (...args) => kill(() => store.append(...args)) }),
    // One by one, so that a removal is stopped between two streams, too.
    removal: {
      async remove(streams) {
        for (const one of streams) await kill(() => removal.remove([one]))
      },
    },
    objects,
    categories: ['job'],
    known: categories,
    before: new Date(Date.now() + 3_600_000),
    isOver: (_, events) => events.some(({ type }) => type === 'Ended'),
  })
  for await (const _ of removing);
}

async function given(t: Test, open: () => Promise<string>, folder: string): Promise<Given> {
  await mkdir(join(folder, 'objects'), { recursive: true })
  const url = await open()
  const objectsUrl = `file:${folder}/objects`
  const raw = await openEventStore(url)
  t.teardown(() => raw.close())
  const objects = await openObjectStore(objectsUrl)
  t.teardown(() => objects.close())
  const store = withArchive(raw, { objects: () => objects, recentMs: 0 })
  for (let job = 0; job < jobs; job++) {
    const events = ['Begun', ...(job === 1 ? [] : ['Ended'])]
    for (const type of events) await store.append(`job-${job}`, [{ id: crypto.randomUUID(), type, data: job }], 'any')
  }
  for await (const _ of archiveLog({ store, objects, categories, segmentEvents: 4 }));
  return { url, store, objectsUrl }
}

t.test(`SQLite: ${title}`, async (t) => {
  const folder = t.testdir()
  const first = await given(t, async () => `sqlite:${folder}/events.db`, folder)
  const before = await seen(first)
  let stops = 0
  for (let at = 0; ; at++) {
    const copy = join(folder, `copy-${at}`)
    await mkdir(copy)
    for (const file of ['events.db', 'events.db-wal', 'events.db-shm']) await cp(join(folder, file), join(copy, file))
    const raw = await openEventStore(`sqlite:${copy}/events.db`)
    const objects = await openObjectStore(first.objectsUrl)
    const store = withArchive(raw, { objects: () => objects, recentMs: 0 })
    const one = { ...first, url: `sqlite:${copy}/events.db`, store }
    const wasStopped = await removed(one, at).then(
      () => false,
      (err) => {
        if (!(err instanceof Killed)) throw err
        return true
      },
    )
    t.strictSame(await seen(one), before, `stopped at step ${at}`)
    await removed(one, Number.POSITIVE_INFINITY)
    t.strictSame(await seen(one), before, `ended after step ${at}`)
    for (let job = 0; job < jobs; job++) {
      t.equal((await collect(raw.readStream(`job-${job}`))).length, 1, `job-${job} has one event left`)
    }
    await raw.close()
    await objects.close()
    if (!wasStopped) break
    stops++
  }
  // The removal, five streams with an event and a removal each, and how far it came, once for each segment.
  t.ok(stops >= 2 * 11, `${stops} stops`)
})

t.test(
  'EventStoreDB: a removal that is stopped at any write loses nothing, and is ended by the next one',
  async (t) => {
    const fake = await startFakeEventStoreDb()
    t.teardown(() => fake[Symbol.asyncDispose]())
    const folder = t.testdir()
    const one = await given(t, async () => fake.url, folder)
    const before = await seen(one)
    // The same log all the time: each removal goes on where the one before was stopped.
    for (const at of [0, 1, 0, 3, 1, 2, 4, 3, 5, 7, 2, 9, Number.POSITIVE_INFINITY]) {
      await removed(one, at).catch((err) => {
        if (!(err instanceof Killed)) throw err
      })
      t.strictSame(await seen(one), before, `stopped at step ${at}`)
      fake.scavenge()
      t.strictSame(await seen(one), before, `after a scavenge`)
    }
    const raw = await openEventStore(fake.url)
    t.teardown(() => raw.close())
    for (let job = 0; job < jobs; job++) t.equal((await collect(raw.readStream(`job-${job}`))).length, 1)
  },
)
