import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { openEventStore } from '@platen/event-store/adapters/open-event-store.ts'
import { type EventStore, maxAppendBytes } from '@platen/event-store/event-store.ts'
import { placeOf } from '@platen/event-store/event-time.ts'
import { domainEvent, newEvent, operatorMetadata } from '@platen/event-store/handle-command.ts'
import { startFakeEventStoreDb } from '@platen/test-support/fake-eventstoredb/start-fake-eventstoredb.ts'
import t, { type Test } from 'tap'
import { type AssetEvent, type AssetStored, assetStream } from './asset-events.ts'
import { AssetLibraries, changeAssets } from './asset-libraries.ts'
import { AssetLibrary } from './asset-library.ts'

const time = '2026-01-31T12:00:00.000Z'
const stored = (library: AssetLibrary, name: string, sha256: string, more: object = {}): AssetStored => ({
  type: 'AssetStored',
  data: {
    name,
    sha256,
    type: 'image/png',
    bytes: 10,
    object: '0123456789abcdef',
    version: library.nextVersion(name),
    created_at: time,
    ...more,
  },
})
const deleted = (name: string): AssetEvent => ({ type: 'AssetDeleted', data: { name } })
const record = (library: AssetLibrary, event: AssetEvent) =>
  library.apply(event, { revision: library.revision + 1, time })

t.test('a name has its last content, and its versions go on after a deletion', async (t) => {
  const library = new AssetLibrary()
  record(library, stored(library, 'a', '1'))
  record(library, stored(library, 'b', '2', { bytes: 20 }))
  record(library, stored(library, 'a', '3', { bytes: 5, references: ['b', 'c'] }))
  record(library, deleted('b'))
  t.match(library.find('a'), { version: 2, sha256: '3', bytes: 5 })
  t.equal(library.find('b'), undefined)
  t.match([library.count, library.bytes, library.references, library.revision], [1, 5, 2, 3])
  t.strictSame(library.names(), ['a'])
  t.strictSame(
    ['a', 'b', 'c'].map((name) => library.nextVersion(name)),
    [3, 2, 1],
  )
})

t.test('an event changes the library once, and one that is not known only counts', async (t) => {
  const library = new AssetLibrary()
  library.apply(stored(library, 'a', '1'), { revision: 0, time })
  library.apply(stored(library, 'a', '1'), { revision: 0, time })
  library.apply({ type: 'AssetRenamed', data: {} } as unknown as AssetEvent, { revision: 1, time })
  library.apply(deleted('nothing'), { revision: 2, time })
  t.match([library.count, library.revision, library.find('a')?.version], [1, 2, 1])
})

t.test('deleted names are forgotten at some time, but none gets a version again that it had', async (t) => {
  const library = new AssetLibrary()
  for (let n = 0; n < 3; n++) record(library, stored(library, 'first', `${n}`))
  record(library, deleted('first'))
  for (let n = 0; n < 5_000; n++) {
    record(library, stored(library, `n${n}`, '1'))
    record(library, deleted(`n${n}`))
  }
  t.ok(library.size <= 1_000)
  t.ok(library.nextVersion('first') >= 4)
  t.ok(library.nextVersion('n4999') >= 2)
})

t.test('the listing of the largest library fits into an append with a change, and says all', async (t) => {
  const library = new AssetLibrary()
  const nameOf = (kind: string, n: number, length = 200) => `${kind}${n}`.padEnd(length, 'x')
  const sha256 = 'a'.repeat(64)
  for (let n = 0; n < 1_000; n++) {
    record(library, stored(library, nameOf('deleted', n), sha256))
    record(library, deleted(nameOf('deleted', n)))
  }
  const references = (n: number) => Array.from({ length: 1_000 }, (_, at) => nameOf(`reference${n}-`, at, 60))
  for (let n = 0; n < 1_000; n++) {
    const more = { bytes: 104_857_600, version: 1_000_000, ...(n < 3 && { references: references(n) }) }
    record(library, stored(library, nameOf('asset', n, 100), sha256, more))
  }
  const metadata = operatorMetadata()
  const cause = { command: { metadata }, attempt: undefined, stream: 'asset-own_default', time }
  t.equal(library.nameChars, 280_000)
  const longest = Array.from({ length: 1_000 }, (_, at) => nameOf('reference', at))
  const change = stored(library, nameOf('asset', 0), sha256, { references: longest })
  const events = [library.listing(), change].map((event) => newEvent(event, cause))
  t.ok(Buffer.byteLength(JSON.stringify(events)) < maxAppendBytes)
  const read = new AssetLibrary()
  read.apply(library.listing(), { revision: library.revision, time })
  t.strictSame(read.listing(), library.listing())
  t.match([read.count, read.bytes, read.size], [library.count, library.bytes, library.size])
  t.equal(read.nameChars, library.nameChars)
})

t.test('the time to read a library does not depend on how many uploads there were', async (t) => {
  t.test('SQLite', async (t) => {
    const opened = await openEventStore(`sqlite:${join(t.testdir({}), 'events.db')}`)
    t.teardown(() => opened.close())
    await readsLittle(t, opened)
  })
  t.test('EventStoreDB', async (t) => {
    await using fake = await startFakeEventStoreDb()
    const opened = await openEventStore(fake.url)
    t.teardown(() => opened.close())
    await readsLittle(t, opened)
  })
})

async function readsLittle(t: Test, opened: EventStore): Promise<void> {
  let read = 0
  const store = {
    append: (...args: Parameters<typeof opened.append>) => opened.append(...args),
    async *readStream(...args: Parameters<typeof opened.readStream>) {
      for await (const event of opened.readStream(...args)) {
        read++
        yield event
      }
    },
  }
  const libraries = new AssetLibraries(store)
  const ownerId = 'own_default'
  for (let n = 0; n < 700; n++) {
    const decide = (library: AssetLibrary) => stored(library, `n${n % 7}`, `${n}`)
    await changeAssets({ store, libraries, ownerId, metadata: operatorMetadata(), decide })
  }
  const library = await libraries.of(ownerId)
  read = 0
  const cold = await new AssetLibraries(store).of(ownerId)
  t.ok(read < 500, `${read}`)
  t.strictSame(cold.listing(), library.listing())
  t.match(cold.find('n0'), { version: 100 })

  const unreadable = { id: randomUUID(), type: '$unreadable', data: null }
  await opened.append(assetStream(ownerId), [unreadable], cold.revision)
  t.strictSame((await new AssetLibraries(store).of(ownerId)).listing(), library.listing())
  const whole = new AssetLibrary()
  for await (const event of opened.readStream(assetStream(ownerId))) {
    if (event.type !== 'AssetsListed') whole.apply(domainEvent<AssetEvent>(event), placeOf(event))
  }
  t.strictSame(whole.listing(), library.listing(), 'listings say what the other events do')
}

t.test('each call sees what others have recorded, and a conflict is decided again', async (t) => {
  const store = await openEventStore(`sqlite:${join(t.testdir({}), 'events.db')}`)
  t.teardown(() => store.close())
  const [one, other] = [new AssetLibraries(store), new AssetLibraries(store)]
  const ownerId = 'own_default'
  const change = (libraries: AssetLibraries, name: string, sha256: string) => {
    const decide = (library: AssetLibrary) => stored(library, name, sha256)
    return changeAssets({ store, libraries, ownerId, metadata: operatorMetadata(), decide })
  }
  await change(one, 'a', '1')
  t.match((await other.of(ownerId)).find('a'), { sha256: '1' })
  await Promise.all(Array.from({ length: 150 }, (_, n) => change(n % 2 ? one : other, `n${n}`, randomUUID())))
  for (const libraries of [one, other]) t.match((await libraries.of(ownerId)).count, 151)
  t.equal((await one.of('own_00000000000000000000000000')).count, 0)
})

/** Records contents of names, and returns the library after them. */
async function storeNames(store: EventStore, libraries: AssetLibraries, names: readonly string[]) {
  for (const name of names) {
    const decide = (library: AssetLibrary) => stored(library, name, randomUUID())
    await changeAssets({ store, libraries, ownerId: 'own_default', metadata: operatorMetadata(), decide })
  }
  return libraries.of('own_default')
}

t.test('a library that was read before the log was replaced by an older copy is read anew', async (t) => {
  const url = (name: string) => `sqlite:${join(t.testdirName, name)}`
  t.testdir({})
  const [first, second] = [await openEventStore(url('first.db')), await openEventStore(url('second.db'))]
  t.teardown(() => Promise.all([first.close(), second.close()]))
  let log = first
  const store: Pick<EventStore, 'append' | 'readStream'> = {
    append: (...args) => log.append(...args),
    readStream: (...args) => log.readStream(...args),
  }
  const libraries = new AssetLibraries(store)
  await storeNames(first, libraries, ['a', 'b', 'c'])
  for (const names of [['a'], ['x', 'y'], ['z', 'z', 'z']]) {
    log = second
    const library = await storeNames(second, new AssetLibraries(second), names)
    t.strictSame((await libraries.of('own_default')).listing(), library.listing(), `${library.revision}`)
    await storeNames(first, new AssetLibraries(first), ['d'])
    log = first
    t.match((await libraries.of('own_default')).names().slice(0, 3), ['a', 'b', 'c'])
  }
  log = second
  const after = await storeNames(second, libraries, ['new'])
  t.strictSame(after.names(), ['a', 'new', 'x', 'y', 'z'])
})

t.test('an answer that lacks the last known event is not believed before it is confirmed', async (t) => {
  const opened = await openEventStore(`sqlite:${join(t.testdir({}), 'events.db')}`)
  t.teardown(() => opened.close())
  let isDeposed = false
  const store: Pick<EventStore, 'append' | 'readStream'> = {
    append: (...args) => opened.append(...args),
    async *readStream(stream, options = {}) {
      // A read back from a revision finds the leader, see `readEvents` of EventStoreDB.
      if (options.backwards && typeof options.from === 'number') isDeposed = false
      for await (const event of opened.readStream(stream, options)) if (!isDeposed || event.revision < 2) yield event
    },
  }
  const libraries = new AssetLibraries(store)
  await storeNames(opened, libraries, ['a', 'b', 'c', 'd'])
  isDeposed = true
  t.strictSame((await libraries.of('own_default')).names(), ['a', 'b', 'c', 'd'])
})

t.test('a listing that another version has recorded is passed over, and the library is the same', async (t) => {
  const store = await openEventStore(`sqlite:${join(t.testdir({}), 'events.db')}`)
  t.teardown(() => store.close())
  const libraries = new AssetLibraries(store)
  const names = Array.from({ length: 130 }, (_, at) => `n${at % 5}`)
  const library = await storeNames(store, libraries, names)
  const listing = { id: randomUUID(), type: 'AssetsListed', data: { assets: [], deleted: [], forgotten: 0 } }
  const other = { ...listing, metadata: { fold: 'of another version' } }
  const { revision } = await store.append(assetStream('own_default'), [other], library.revision)
  for (const each of [libraries, new AssetLibraries(store)]) {
    t.match((await each.of('own_default')).names(), ['n0', 'n1', 'n2', 'n3', 'n4'])
    t.equal((await each.of('own_default')).revision, revision)
  }
  await storeNames(store, libraries, names)
  t.match((await new AssetLibraries(store).of('own_default')).find('n0'), { version: 52 })
})
