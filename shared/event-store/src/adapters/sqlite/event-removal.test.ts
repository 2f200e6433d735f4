import { DatabaseSync } from 'node:sqlite'
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

t.test('events are deleted, and the file gets smaller', async (t) => {
  const path = `${t.testdir()}/events.db`
  const store = await openEventStore(`sqlite:${path}`)
  t.teardown(() => store.close())
  await fill(store)
  await store.append('job-20', [newEvent(1), newEvent(2)], 'none')
  const removal = await openEventRemoval(`sqlite:${path}`)
  t.teardown(() => removal.close())
  await removal.reclaim()
  await removal.remove(removed)
  await removal.remove(removed)
  t.equal(rows(path), streams + 2)
  t.ok(Number(await removal.reclaim()) > 1_000_000)
  t.equal(await removal.reclaim(), 0)
  await t.rejects(removal.remove([{ stream: 'job-20', before: 1 }]), {
    name: 'StoreUnavailable',
    message: /not deleted before they are moved to the archive/,
  })
  t.equal(rows(path), streams + 2)
  const { revision } = await store.append('job-1', [newEvent()], 6)
  t.equal(revision, 7, 'the stream goes on')
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
