import { DatabaseSync } from 'node:sqlite'
import { setImmediate as nextTurn } from 'node:timers/promises'
import t from 'tap'
import { movedToArchive } from '../../event-catalogue.ts'
import type { EventStore } from '../../event-store.ts'
import { newEvent } from '../../suite/given-store.ts'
import { openEventRemoval } from '../open-event-removal.ts'
import { openEventStore } from '../open-event-store.ts'

const streams = 20

/** Streams of a megabyte together, with an event that says that they are archived. */
async function fill(store: EventStore): Promise<void> {
  for (let number = 0; number < streams; number++) {
    const large = Array.from({ length: 5 }, () => newEvent('x'.repeat(10_000)))
    await store.append(`job-${number}`, [newEvent(), ...large, newEvent(null, movedToArchive)], 'none')
  }
}

const removed = Array.from({ length: streams }, (_, number) => ({ stream: `job-${number}`, before: 6 }))

function rows(path: string): number {
  const database = new DatabaseSync(path, { readOnly: true })
  const { n } = database.prepare('SELECT count(*) AS n FROM events').get() ?? {}
  database.close()
  return Number(n)
}

function formatOf(path: string): number {
  const database = new DatabaseSync(path, { readOnly: true })
  const { user_version } = database.prepare('PRAGMA user_version').get() ?? {}
  database.close()
  return Number(user_version)
}

t.test('events are deleted, and the file gets smaller', async (t) => {
  const path = `${t.testdir()}/events.db`
  const store = await openEventStore(`sqlite:${path}`)
  t.teardown(() => store.close())
  await fill(store)
  await store.append('job-20', [newEvent(1), newEvent(2)], 'none')
  const removal = await openEventRemoval(`sqlite:${path}`)
  t.teardown(() => removal.close())
  await removal.reclaim()
  const refused = [{ stream: 'job-20', before: 1 }]
  await t.rejects(removal.remove(refused), { message: /not deleted before they are moved to the archive/ })
  t.equal(formatOf(path), 2, 'earlier versions can read a file that has all events')
  await removal.remove(removed)
  await removal.remove(removed)
  t.equal(rows(path), streams + 2)
  t.equal(formatOf(path), 3, 'and no other one')
  t.ok(Number(await removal.reclaim()) > 1_000_000)
  t.equal(await removal.reclaim(), 0)
  await t.rejects(removal.remove(refused), {
    name: 'StoreUnavailable',
    message: /not deleted before they are moved to the archive/,
  })
  t.equal(rows(path), streams + 2)
  const { revision } = await store.append('job-1', [newEvent()], 6)
  t.equal(revision, 7, 'the stream goes on')
  await (await openEventStore(`sqlite:${path}`)).close()
})

t.test('events of a file of an earlier state of the source are deleted, and their space is used again', async (t) => {
  const path = `${t.testdir()}/events.db`
  await (await openEventStore(`sqlite:${path}`)).close()
  const database = new DatabaseSync(path)
  database.exec('DROP TRIGGER events_delete_moved; PRAGMA auto_vacuum = NONE; VACUUM')
  database.exec("CREATE TRIGGER events_no_delete BEFORE DELETE ON events BEGIN SELECT raise(ABORT, 'never'); END")
  database.close()
  const store = await openEventStore(`sqlite:${path}`)
  t.teardown(() => store.close())
  await fill(store)
  const removal = await openEventRemoval(`sqlite:${path}`)
  t.teardown(() => removal.close())
  await removal.remove(removed)
  t.equal(rows(path), streams)
  await removal.reclaim()
  t.equal(await removal.reclaim(), 0)
  await t.rejects(removal.remove([{ stream: 'job-1', before: 7 }]), { message: /not deleted before they are moved/ })
})

t.test('a removal waits for the lock of another program', async (t) => {
  const path = `${t.testdir()}/events.db`
  const store = await openEventStore(`sqlite:${path}`)
  t.teardown(() => store.close())
  await fill(store)
  const removal = await openEventRemoval(`sqlite:${path}`)
  t.teardown(() => removal.close())
  const other = new DatabaseSync(path)
  other.exec('BEGIN IMMEDIATE')
  const removing = removal.remove(removed)
  t.equal(await Promise.race([removing, new Promise((resolve) => setTimeout(resolve, 100, 'waiting'))]), 'waiting')
  other.exec('ROLLBACK')
  other.close()
  await removing
  t.equal(rows(path), streams)
})

/** Calls `look` whenever the event loop is free while `work` goes on. */
async function watching<Value>(work: Promise<unknown>, look: () => Value): Promise<Set<Value>> {
  const seen = new Set<Value>()
  let isOver = false
  const over = work.finally(() => {
    isOver = true
  })
  for (; !isOver; await nextTurn()) seen.add(look())
  await over
  return seen
}

t.test('each event is deleted when the one after it says that it is archived, or is deleted', async (t) => {
  const path = `${t.testdir()}/events.db`
  const store = await openEventStore(`sqlite:${path}`)
  t.teardown(() => store.close())
  await fill(store)
  const database = new DatabaseSync(path)
  t.teardown(() => database.close())
  // Otherwise the trigger looks through the rest of the stream for each event.
  database.exec('CREATE TABLE deleted(stream TEXT, revision INTEGER)')
  database.exec(`CREATE TRIGGER test_deleted AFTER DELETE ON events
    BEGIN INSERT INTO deleted VALUES (old.stream, old.revision); END`)
  const removal = await openEventRemoval(`sqlite:${path}`)
  t.teardown(() => removal.close())
  await removal.remove(removed)
  const rows = database.prepare('SELECT stream, revision FROM deleted ORDER BY rowid').all()
  t.strictSame(
    rows.map(({ stream, revision }) => [stream, revision]),
    removed.flatMap(({ stream }) => [5, 4, 3, 2, 1, 0].map((revision) => [stream, revision])),
  )
})

t.test('services can append between the transactions of a removal, and while the file gets smaller', async (t) => {
  const path = `${t.testdir()}/events.db`
  const store = await openEventStore(`sqlite:${path}`)
  t.teardown(() => store.close())
  const many = Array.from({ length: 600 }, () => newEvent('x'.repeat(1_400)))
  const large = Array.from({ length: 8 }, (_, number) => ({ stream: `job-${number}`, before: 601 }))
  for (const { stream } of large)
    await store.append(stream, [newEvent(), ...many, newEvent(null, movedToArchive)], 'none')
  const removal = await openEventRemoval(`sqlite:${path}`)
  t.teardown(() => removal.close())
  const left = await watching(removal.remove(large), () => rows(path))
  const afterTwo = [8, 6, 4, 2, 0].map((whole) => whole * 602 + (8 - whole))
  for (const count of afterTwo.slice(1, -1)) t.ok(left.has(count), `${count} events are left`)
  for (const count of left) t.ok(afterTwo.includes(count), `${count}: a stream is removed at once`)

  const reader = new DatabaseSync(path, { readOnly: true })
  t.teardown(() => reader.close())
  const pages = () => Number(reader.prepare('PRAGMA freelist_count').get()?.freelist_count)
  const before = pages()
  const seen = await watching(removal.reclaim(), pages)
  t.ok([...seen].filter((count) => count > 0 && count < before).length >= 2, `of ${before}: ${[...seen]}`)
})
