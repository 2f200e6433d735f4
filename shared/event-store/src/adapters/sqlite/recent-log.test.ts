import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate } from 'node:timers/promises'
import t, { type Test } from 'tap'
import type { EventStore, StoredEvent } from '../../event-store.ts'
import { numbered } from '../../suite/given-store.ts'
import { openEventStore } from '../open-event-store.ts'
import { RecentLog } from './recent-log.ts'

const token = 'token'
const created = 1_700_000_000_000
const appendOf = (...ids: string[]) => ({
  stream: 'note-a',
  events: ids.map((id) => ({ id, type: 'Noted', data: `{"id":"${id}"}`, metadata: '{}' })),
  expected: 'any' as const,
})
const idsAfter = (recent: RecentLog, after: number, known: number, categories?: readonly string[]) =>
  recent.pageAfter(after, known, categories)?.rows.map(({ id }) => id)

t.test('what follows a position is read from the file, unless all of it is kept', (t) => {
  const recent = new RecentLog(token)
  t.equal(recent.pageAfter(0, 0), undefined)
  recent.committed(appendOf('a', 'b'), { revision: 4, last: 11, created })
  recent.committed(appendOf('c'), { revision: 5, last: 12, created })
  t.strictSame(idsAfter(recent, 9, 12), ['a', 'b', 'c'])
  t.strictSame(idsAfter(recent, 10, 12), ['b', 'c'])
  t.equal(recent.pageAfter(8, 12), undefined, 'an earlier event is not kept')
  t.equal(recent.pageAfter(12, 12), undefined, 'another process may have appended since')
  t.equal(recent.pageAfter(9, 13), undefined, 'another process has appended since')
  t.strictSame(idsAfter(recent, 9, 12, ['other']), [])
  t.strictSame(recent.pageAfter(9, 12, ['other'])?.scannedTo, { rowId: 12, id: 'c' })
  t.match(recent.pageAfter(9, 12)?.rows, [
    { position: 10, revision: 3 },
    { position: 11, revision: 4 },
    { position: 12, revision: 5 },
  ])
  t.end()
})

t.test('an event of another process in between begins anew', (t) => {
  const recent = new RecentLog(token)
  recent.committed(appendOf('a'), { revision: 0, last: 1, created })
  recent.committed(appendOf('c'), { revision: 1, last: 3, created })
  t.equal(recent.pageAfter(0, 3), undefined)
  t.equal(recent.pageAfter(1, 3), undefined)
  t.strictSame(idsAfter(recent, 2, 3), ['c'])
  t.end()
})

t.test('it is bounded by events and by their size', (t) => {
  const recent = new RecentLog(token)
  for (let last = 1; last <= 300; last++)
    recent.committed(appendOf(String(last)), { revision: last - 1, last, created })
  t.equal(recent.pageAfter(43, 300), undefined)
  t.equal(idsAfter(recent, 44, 300)?.length, 256)
  const large = {
    ...appendOf('large'),
    events: [{ id: 'large', type: 'Noted', data: `"${'x'.repeat(2_000_000)}"`, metadata: '{}' }],
  }
  recent.committed(large, { revision: 300, last: 301, created })
  t.equal(recent.pageAfter(300, 301), undefined)
  t.end()
})

async function givenSubscriptions(t: Test) {
  const path = join(t.testdir({}), 'events.db')
  const url = `sqlite:${path}`
  const open = async () => {
    const store = await openEventStore(url)
    t.teardown(() => store.close())
    return store
  }
  const stop = new AbortController()
  t.teardown(() => stop.abort())
  const follow = (store: EventStore) => {
    const seen: StoredEvent[] = []
    void (async () => {
      for await (const item of store.subscribe({ after: 'start', signal: stop.signal })) {
        if (item.kind === 'event') seen.push(item.event)
      }
    })()
    return seen
  }
  const elsewhere = () => new DatabaseSync(path)
  const countInFile = () => {
    using database = elsewhere()
    return Number(database.prepare('SELECT count(*) AS count FROM events').get()?.count)
  }
  /** Appends from another connection, as another process would, within one turn of the event loop. */
  const appendElsewhere = (stream: string) => {
    using database = elsewhere()
    const columns = 'stream, category, revision, id, type, data, created'
    database.prepare(`INSERT INTO events(${columns}) VALUES (?, 'note', 0, 'other', 'Noted', '1', 0)`).run(stream)
  }
  return { open, follow, appendElsewhere, countInFile }
}

t.test('readers see each event of two processes once, in order, as it is in the file', async (t) => {
  const { open, follow } = await givenSubscriptions(t)
  const [here, there] = [await open(), await open()]
  const all = [follow(here), follow(here), follow(there)]
  const append = (store: EventStore, number: number) =>
    store.append(`note-${number % 7}`, numbered(number, number + 1), 'any')
  for (let number = 0; number < 400; number += 4) {
    await Promise.all([append(here, number), append(there, number + 2)])
  }
  const inFile: StoredEvent[] = []
  for await (const event of here.readLog({ after: 'start', categories: ['note'] })) inFile.push(event)
  t.equal(inFile.length, 400)
  for (const seen of all) {
    while (seen.length < 400) await new Promise((resolve) => setTimeout(resolve, 10))
    t.strictSame(seen, inFile)
  }
})

t.test('an append that is repeated is not a new event', async (t) => {
  const { open, follow } = await givenSubscriptions(t)
  const store = await open()
  const seen = follow(store)
  const first = numbered(1, 2)
  await store.append('note-a', first, 'none')
  await store.append('note-b', numbered(3, 3), 'none')
  t.match(await store.append('note-a', first, 'none'), { revision: 1 })
  await store.append('note-b', numbered(4, 4), 'any')
  while (seen.length < 4) await new Promise((resolve) => setTimeout(resolve, 10))
  t.strictSame(
    seen.map(({ stream, revision }) => `${stream} ${revision}`),
    ['note-a 0', 'note-a 1', 'note-b 0', 'note-b 1'],
  )
})

t.test('a reader that begins after the events of another process were found reads them', async (t) => {
  const { open, follow } = await givenSubscriptions(t)
  const [here, there] = [await open(), await open()]
  const first = follow(here)
  await here.append('note-a', numbered(1, 1), 'none')
  await there.append('note-b', numbered(2, 2), 'none')
  while (first.length < 2) await new Promise((resolve) => setTimeout(resolve, 10))
  const second = follow(here)
  while (second.length === 0) await new Promise((resolve) => setTimeout(resolve, 10))
  await setImmediate()
  t.strictSame(second, first)
})

t.test('what another process has appended is read before a new reader has caught up', async (t) => {
  const { open, appendElsewhere } = await givenSubscriptions(t)
  const store = await open()
  await store.append('note-a', numbered(1, 1), 'none')
  appendElsewhere('note-b')
  const kinds: string[] = []
  for await (const { kind } of store.subscribe({ after: 'start', signal: new AbortController().signal })) {
    if (kinds.push(kind) === 3) break
  }
  t.strictSame(kinds, ['event', 'event', 'caughtUp'])
})

t.test(
  'a slow reader gets an event of another process that is found before that of this process in front of it',
  async (t) => {
    const { open, appendElsewhere, countInFile } = await givenSubscriptions(t)
    const store = await open()
    await store.append('note-a', numbered(1, 1), 'none')
    const stop = new AbortController()
    t.teardown(() => stop.abort())
    const items = store.subscribe({ after: 'start', signal: stop.signal })[Symbol.asyncIterator]()
    while ((await items.next()).value?.kind !== 'caughtUp');
    // The next phase of the event loop runs timers, one of which looks for events. Messages of the writer thread come
    // later.
    await setImmediate()
    const appended = store.append('note-a', numbered(2, 2), 'any')
    while (countInFile() < 2);
    appendElsewhere('note-b')
    for (const dueAt = performance.now() + 100; performance.now() < dueAt; );
    await appended
    const read: unknown[] = []
    for (let count = 0; count < 2; count++) void items.next().then(({ value }) => read.push(value?.event.stream))
    await setImmediate()
    await setImmediate()
    t.strictSame(read, ['note-a', 'note-b'])
  },
)
