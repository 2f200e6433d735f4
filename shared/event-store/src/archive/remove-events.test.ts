import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { cp, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { openObjectStore } from '@platen/object-store/adapters/open-object-store.ts'
import type { ObjectStore } from '@platen/object-store/object-store.ts'
import {
  type FakeEventStoreDb,
  startFakeEventStoreDb,
} from '@platen/test-support/fake-eventstoredb/start-fake-eventstoredb.ts'
import { storeWith } from '@platen/test-support/store-with.ts'
import t, { type Test } from 'tap'
import { openEventRemoval } from '../adapters/open-event-removal.ts'
import { openEventStore } from '../adapters/open-event-store.ts'
import { movedToArchive, removalsStream } from '../event-catalogue.ts'
import type { EventStore, Item, Position, ReadLogOptions, StoredEvent } from '../event-store.ts'
import { archiveLog } from './archive-log.ts'
import { listSegments, readSegment } from './read-archive.ts'
import { type RemovedOfSegment, type RemoveOptions, removeEvents } from './remove-events.ts'
import { epochOf, manifestKey } from './segment.ts'
import { withArchive } from './with-archive.ts'

// Each event and each object is flushed.
t.setTimeout(600_000)

const categories = ['job', 'owner']
const hour = 3_600_000
const ofReaders = 'readers that have begun see what is removed before them'

interface Given {
  /** The log alone. */
  raw: EventStore
  /** The log with its archive. */
  store: EventStore
  objects: ObjectStore
  archive: (options?: { through?: Position }) => Promise<void>
  remove: (options?: Partial<RemoveOptions>) => Promise<RemovedOfSegment[]>
  /** Removes what a scavenge would. */
  scavenge: () => void
}

type Engine = (t: Test, folder: string) => Promise<{ url: string; fake?: FakeEventStoreDb }>

const engines: Record<string, Engine> = {
  SQLite: async (_t, folder) => ({ url: `sqlite:${folder}/events.db` }),
  async EventStoreDB(t) {
    const fake = await startFakeEventStoreDb()
    t.teardown(() => fake[Symbol.asyncDispose]())
    return { url: fake.url, fake }
  },
}

async function given(t: Test, engine: Engine): Promise<Given> {
  const folder = t.testdir({ objects: {} })
  const { url, fake } = await engine(t, folder)
  const raw = await openEventStore(url)
  t.teardown(() => raw.close())
  const objects = await openObjectStore(`file:${folder}/objects`)
  t.teardown(() => objects.close())
  // Nothing is recent: the events of the test are young.
  const store = withArchive(raw, { objects: () => objects, recentMs: 0 })
  const removal = await openEventRemoval(url)
  t.teardown(() => removal.close())
  return {
    raw,
    store,
    objects,
    scavenge: () => fake?.scavenge(),
    async archive(options) {
      for await (const _ of archiveLog({ store, objects, categories, segmentEvents: 4, ...options }));
    },
    async remove(options) {
      const removed: RemovedOfSegment[] = []
      const before = new Date(Date.now() + hour)
      const common = { store, removal, objects, categories: ['job'], known: categories, before }
      const isOver = (_: string, events: readonly StoredEvent[]) => events.some(({ type }) => type === 'Ended')
      for await (const one of removeEvents({ ...common, isOver, ...options })) removed.push(one)
      return removed
    },
  }
}

async function append(store: EventStore, stream: string, ...types: string[]): Promise<void> {
  for (const type of types) await store.append(stream, [{ id: crypto.randomUUID(), type, data: { of: stream } }], 'any')
}

/** Jobs and an owner between them: of `job-3` the end is in another segment, `job-5` has none. */
async function record(store: EventStore): Promise<void> {
  await append(store, 'owner-1', 'Named')
  for (const job of ['job-1', 'job-2']) await append(store, job, 'Begun', 'Ended')
  await append(store, 'job-3', 'Begun')
  await append(store, 'owner-1', 'Named')
  await append(store, 'job-4', 'Begun', 'Ended')
  await append(store, 'job-5', 'Begun')
  await append(store, 'job-3', 'Ended')
}

async function collect<Value>(values: AsyncIterable<Value>): Promise<Value[]> {
  const all: Value[] = []
  for await (const value of values) all.push(value)
  return all
}

const logOf = (store: EventStore, after: Position | 'start' = 'start') => collect(store.readLog({ after, categories }))

/** What a subscription yields until it has caught up. */
async function history(store: EventStore, after: Position | 'start' = 'start'): Promise<StoredEvent[]> {
  const events: StoredEvent[] = []
  const done = new AbortController()
  for await (const item of store.subscribe({ after, categories, signal: done.signal })) {
    if (item.kind === 'lost') throw item.cause
    if (item.kind === 'event') events.push(item.event)
    if (item.kind === 'caughtUp') break
  }
  done.abort()
  return events
}

const own = (events: readonly StoredEvent[]) => events.filter(({ type }) => type !== movedToArchive)

for (const [name, engine] of Object.entries(engines)) {
  t.test('no event is removed before it is recorded that some will be', async (t) => {
    const { store, archive, remove } = await given(t, engines.SQLite as Engine)
    await record(store)
    await archive()
    const recorded = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    let removals = 0
    const slow = storeWith(store, {
      async append(stream, events, expected) {
        if (stream === removalsStream) {
          begun.resolve()
          await recorded.promise
        }
        return store.append(stream, events, expected)
      },
    })
    const removing = remove({ store: slow, removal: { remove: async () => void removals++ } })
    await begun.promise
    // Time for what would not wait.
    await new Promise((resolve) => setTimeout(resolve, 50))
    t.equal(removals, 0)
    recorded.resolve()
    await removing
    t.ok(removals > 0)
  })

  t.test(`${name}: what was removed is read from the archive, in its place`, async (t) => {
    const { raw, store, archive, remove, scavenge } = await given(t, engine)
    await record(store)
    const before = await logOf(store)
    const streams = new Map<string, StoredEvent[]>()
    for (const { stream } of before) streams.set(stream, await collect(store.readStream(stream)))
    t.equal(before.length, 11)
    t.same(await remove(), [], 'nothing is archived')
    await archive({ through: before[8]?.position ?? ('' as Position) })
    const each = [1, 2, 3].map((segment) => ({ segment, streams: 1, events: 2 }))
    t.match(await remove({ removal: undefined }), each)
    t.equal((await logOf(raw)).length, 11, 'a dry run removes nothing')
    t.match(await remove(), each)
    t.same(await remove(), [], 'again')
    scavenge()
    const left = (await logOf(raw)).filter(({ type }) => type !== movedToArchive)
    t.strictSame(
      left.map(({ stream }) => stream),
      ['owner-1', 'job-3', 'owner-1', 'job-5', 'job-3'],
    )

    t.strictSame(await logOf(store), before, 'the log')
    t.strictSame(await history(store), before, 'a subscription')
    for (const [at, { position }] of before.entries()) {
      t.strictSame(await logOf(store, position), before.slice(at + 1), `the log after ${at}`)
      t.strictSame(await history(store, position), before.slice(at + 1), `a subscription after ${at}`)
    }
    for (const [stream, events] of streams) {
      t.strictSame(own(await collect(store.readStream(stream))), events, stream)
      const backwards = own(await collect(store.readStream(stream, { backwards: true })))
      t.strictSame(backwards, events.toReversed(), `${stream} backwards`)
      for (let from = 0; from < events.length; from++) {
        t.strictSame(await collect(store.readStream(stream, { from, limit: 1 })), [events[from]])
        t.strictSame(await collect(store.readStream(stream, { from, limit: 1, backwards: true })), [events[from]])
      }
    }
    const [bare] = await collect(store.readStream('job-1', { limit: 1, withoutData: true }))
    t.match(bare, { revision: 0, data: null })
    t.match(await collect(store.readStream('job-1', { withoutArchive: true })), [{ type: movedToArchive, revision: 2 }])
    t.same(await collect(store.readStream('job-9')), [])

    t.test('a stream goes on after its last event, and is moved once more', async (t) => {
      await t.rejects(store.append('job-1', [{ id: crypto.randomUUID(), type: 'Erased', data: {} }], 'none'), {
        name: 'WrongExpectedRevision',
      })
      await append(store, 'job-1', 'Erased')
      await archive()
      const all = await logOf(store)
      t.equal(all.length, 12)
      t.match(await remove(), [{ segment: 4, streams: 2, events: 4 }], 'job-3, too')
      scavenge()
      t.strictSame(await logOf(store), all)
      const types = (await collect(store.readStream('job-1'))).map(({ type, revision }) => [revision, type])
      t.strictSame(types, [
        [0, 'Begun'],
        [1, 'Ended'],
        [3, 'Erased'],
        [4, movedToArchive],
      ])
      t.equal((await collect(raw.readStream('job-1'))).length, 1)
    })
  })

  t.test(`${name}: ${ofReaders}`, async (t) => {
    // The removal comes before the read with this number, of eleven events and the end.
    for (const moment of [0, 1, 4, 5, 8, 9, 11]) {
      const { raw, store, objects, archive, remove, scavenge } = await given(t, engine)
      await record(store)
      const before = await logOf(store)
      await archive()
      let reads = 0
      const reader = withArchive(
        oneByOne(raw, async () => {
          if (reads++ !== moment) return
          await remove()
          scavenge()
        }),
        { objects: () => objects, recentMs: 0 },
      )
      const isSubscription = moment % 2 === 1
      t.strictSame(await (isSubscription ? history : logOf)(reader), before, `before read ${moment}`)
      t.ok(reads > moment)
      t.equal((await collect(raw.readStream('job-1'))).length, 1, 'it was removed')
    }
  })

  t.test(
    `${name}: a subscription goes on with new events, after a removal and after events of other moves`,
    async (t) => {
      const { store, archive, remove, scavenge } = await given(t, engine)
      await record(store)
      const before = await logOf(store)
      await archive()
      const done = new AbortController()
      const seen: string[] = []
      for await (const item of store.subscribe({ after: 'start', categories, signal: done.signal })) {
        if (item.kind === 'event') seen.push(`${item.event.stream} ${item.event.revision}`)
        if (item.kind === 'caughtUp') {
          await remove()
          scavenge()
          await append(store, 'job-6', 'Begun')
        }
        if (seen.at(-1) === 'job-6 0') break
      }
      done.abort()
      t.strictSame(seen, [...before.map(({ stream, revision }) => `${stream} ${revision}`), 'job-6 0'])
    },
  )
}

/** A log of which each event is read from the store alone. `before` is called before each of these reads. */
function oneByOne(store: EventStore, before: () => Promise<void>): EventStore {
  async function* readLog({ after, ...options }: ReadLogOptions): AsyncGenerator<StoredEvent> {
    for (let at = after; ; ) {
      await before()
      let next: StoredEvent | undefined
      for await (const event of store.readLog({ ...options, after: at })) {
        next = event
        break
      }
      if (next === undefined) return
      yield next
      at = next.position
    }
  }
  return storeWith(store, {
    readLog,
    async *subscribe({ after, categories = [], signal }): AsyncGenerator<Item> {
      if (after === 'end') throw new RangeError('not in this test')
      for await (const event of readLog({ after, categories, signal })) yield { kind: 'event', event }
      yield { kind: 'caughtUp' }
      await once(signal, 'abort')
    },
  })
}

t.test('a removal that finds nothing records nothing', async (t) => {
  const { raw, store, archive, remove } = await given(t, async (_, folder) => ({ url: `sqlite:${folder}/events.db` }))
  await append(store, 'owner-1', 'Named', 'Named')
  await append(store, 'job-1', 'Begun')
  await archive()
  const end = await raw.end()
  t.same(await remove(), [])
  t.equal(await raw.end(), end)
})

t.test('an archive that differs from the log removes nothing', async (t) => {
  const { raw, store, objects, archive, remove } = await given(t, async (_, folder) => ({
    url: `sqlite:${folder}/events.db`,
  }))
  await record(store)
  const before = await logOf(raw)
  await archive()
  const [first] = await listSegments(objects)
  if (!first) throw new Error('there must be a segment')
  const lines = await readSegment(objects, first)
  const replaceWith = async (changed: readonly string[]) => {
    const body = gzipSync(changed.map((line) => `${line}\n`).join(''))
    const sha256 = createHash('sha256').update(body).digest('hex')
    await objects.put(first.object_key, body, 'application/gzip')
    await objects.put(manifestKey(first), Buffer.from(JSON.stringify({ ...first, sha256 })), 'application/json')
  }
  await replaceWith(lines.map((line) => line.replace('{"of":"job-1"}', '{"of":"job-0"}')))
  await t.rejects(remove(), { name: 'DamagedArchive', message: /the archive lacks event 0 of job-1, at sqlite:/ })
  t.strictSame(await logOf(raw), before)
  await objects.put(first.object_key, Buffer.from('damaged'), 'application/gzip')
  await t.rejects(remove(), { name: 'DamagedArchive', message: /has the SHA-256/ })
  t.strictSame(await logOf(raw), before)
})

// An older copy of the log was restored, and went on.
t.test('an archive with events that the log does not have removes nothing', async (t) => {
  const folder = t.testdir({ objects: {} })
  const copy = join(folder, 'copy')
  await mkdir(copy)
  const first = await openEventStore(`sqlite:${folder}/events.db`)
  const objects = await openObjectStore(`file:${folder}/objects`)
  t.teardown(() => objects.close())
  for (const job of ['job-1', 'job-2', 'job-3', 'job-4']) await append(first, job, 'Begun', 'Ended')
  await first.close()
  await cp(join(folder, 'events.db'), join(copy, 'events.db'))
  const again = await openEventStore(`sqlite:${folder}/events.db`)
  await append(again, 'job-5', 'Begun', 'Ended')
  for await (const _ of archiveLog({ store: again, objects, categories, segmentEvents: 4 }));
  await again.close()

  const url = `sqlite:${copy}/events.db`
  const raw = await openEventStore(url)
  t.teardown(() => raw.close())
  const store = withArchive(raw, { objects: () => objects, recentMs: 0 })
  const removal = await openEventRemoval(url)
  t.teardown(() => removal.close())
  const removing = async () => {
    const before = new Date(Date.now() + hour)
    const common = { store, removal, objects, categories: ['job'], known: categories, before }
    for await (const _ of removeEvents({ ...common, isOver: () => true }));
  }
  const refused = { name: 'InvalidPosition', message: /the archive has events that the event store does not have/ }
  await t.rejects(removing(), refused, 'the log ends before')
  await append(raw, 'job-6', 'Begun', 'Ended')
  await append(raw, 'job-7', 'Begun', 'Ended')
  const before = await logOf(raw)
  await t.rejects(removing(), refused, 'it has other events')
  t.same(await collect(raw.readStream('archive-removals')), [], 'nothing was recorded')
  t.strictSame(await logOf(store), before)
})

t.test('a part of the archive that is missing or away fails each reader that needs it', async (t) => {
  const { raw, store, objects, archive, remove } = await given(t, async (_, folder) => ({
    url: `sqlite:${folder}/events.db`,
  }))
  await record(store)
  const [first] = await logOf(store)
  await archive()
  await remove()
  const [segment] = await listSegments(objects)
  if (!segment) throw new Error('there must be a segment')
  const body = await buffer(await objects.get(segment.object_key))
  await objects.delete(segment.object_key)
  const failed = { name: 'ArchiveDamaged', message: /The archive, which has older events, cannot be read: No object/ }
  // A process that has read it may keep it for a while.
  const another = withArchive(raw, { objects: () => objects, recentMs: 0 })
  await t.rejects(logOf(another), failed)
  await t.rejects(collect(another.readStream('job-1')), failed)
  t.equal((await collect(another.readStream('job-5'))).length, 1, 'one that is in the log')
  const items = another
    .subscribe({ after: 'start', categories, signal: AbortSignal.timeout(60_000) })
    [Symbol.asyncIterator]()
  t.match((await items.next()).value, { kind: 'lost', cause: failed })
  await objects.put(segment.object_key, body, 'application/gzip')
  let item: Item = (await items.next()).value
  while (item.kind === 'lost') item = (await items.next()).value
  t.strictSame(item, { kind: 'event', event: first }, 'it goes on')
  await items.return?.()
})

t.test('what is wrong with the archive of another event store, or with a manifest, is named', async (t) => {
  const { raw, store, objects, archive, remove } = await given(t, async (_, folder) => ({
    url: `sqlite:${folder}/events.db`,
  }))
  const put = (key: string, manifest: object) =>
    objects.put(key, Buffer.from(JSON.stringify(manifest)), 'application/json')
  await record(store)
  const before = await logOf(store)
  const another = 'archive/0123abcd.00000007.0123456789abcdef.json'
  await put(another, {})
  await archive()
  const [first, second] = await listSegments(objects, { epoch: epochOf(before[0]?.position ?? ('' as Position)) })
  if (!first || !second) throw new Error('there must be two segments')
  // A gap: it lacks the six before it.
  await put(another, { ...second, epoch: '0123abcd', number: 7 })
  await remove()
  t.strictSame(await logOf(store), before, 'another one may have a gap')
  await t.rejects(listSegments(objects), { name: 'DamagedArchive', message: /archive of 0123abcd has a gap before/ })

  await put(manifestKey(first), {})
  const unread = withArchive(raw, { objects: () => objects, recentMs: 0 })
  const failed = { name: 'ArchiveDamaged', message: /archive, which has older .* is not a manifest of this version/ }
  await t.rejects(logOf(unread), failed)
  await t.rejects(collect(unread.readStream('job-1')), failed)
  await t.rejects(remove(), { name: 'DamagedArchive' })
})

t.test('a removal reads only the segments in which streams were left by the one before', async (t) => {
  const { store, objects, archive, remove } = await given(t, async (_, folder) => ({
    url: `sqlite:${folder}/events.db`,
  }))
  await record(store)
  await append(store, 'job-6', 'Begun')
  await append(store, 'job-7', 'Begun', 'Ended')
  await append(store, 'job-8', 'Begun', 'Ended')
  await archive()
  const read: string[] = []
  const counting = {
    list: (category: string) => objects.list(category),
    get(key: string) {
      if (key.endsWith('.gz')) read.push(key)
      return objects.get(key)
    },
  }
  await remove({ objects: counting })
  t.ok(read.length >= 4)
  read.length = 0
  t.same(await remove({ objects: counting }), [])
  const segments = await listSegments(objects)
  t.strictSame(
    read.map((key) => segments.find(({ object_key }) => object_key === key)?.number),
    [3],
    'job-5 and job-6',
  )
  await append(store, 'job-5', 'Ended')
  await append(store, 'job-6', 'Ended')
  await archive()
  t.match(await remove(), [{ segment: 5, streams: 2 }])
  const [last] = await collect(store.readStream('archive-removals', { backwards: true, limit: 1 }))
  t.match(last?.data, { cleared: 5, cleared_also: [] })
})

t.test('an archive that was made without a category of the log removes nothing', async (t) => {
  const { raw, store, archive, remove } = await given(t, async (_, folder) => ({ url: `sqlite:${folder}/events.db` }))
  await record(store)
  await archive()
  const known = [...categories, 'note']
  t.equal((await remove({ known, removal: undefined })).length, 3, 'the log had no events of it')
  await append(store, 'note-1', 'Noted')
  t.equal((await remove({ known, removal: undefined })).length, 3, 'nor has it in what is archived')
  await append(store, 'job-6', 'Begun', 'Ended')
  await archive()
  const refused = { name: 'DamagedArchive', message: /made segment 4 of the archive without events such as .* note-1/ }
  await t.rejects(remove({ known }), refused)
  t.same(await collect(raw.readStream('archive-removals')), [])
  t.ok((await remove()).length > 0)
})

t.test('a position of another log, or of another event, is refused', async (t) => {
  const { store, archive, remove } = await given(t, async (_, folder) => ({ url: `sqlite:${folder}/events.db` }))
  await record(store)
  const [, second] = await logOf(store)
  await archive()
  await remove()
  const other = second?.position.replace(/[^:]*$/, crypto.randomUUID()) as Position
  await t.rejects(logOf(store, other), { name: 'InvalidPosition', message: /had another event at/ })
  for (const position of [
    other.replace(/^sqlite:[^:]*/, 'sqlite:00000000'),
    'nonsense',
    'sqlite:1:x:y',
  ] as Position[]) {
    await t.rejects(logOf(store, position), { name: 'InvalidPosition' })
    await t.rejects(history(store, position), { name: 'InvalidPosition' })
  }
})
