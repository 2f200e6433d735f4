import { join } from 'node:path'
import t, { type Test } from 'tap'
import { newEvent, numbered, range } from '../../suite/given-store.ts'
import { openEventStore } from '../open-event-store.ts'
import { endReader, logReader } from './pages.ts'
import { openEventDatabase } from './schema.ts'

async function givenLog(t: Test, appends: [stream: string, events: ReturnType<typeof numbered>][]) {
  const path = join(t.testdir({}), 'events.db')
  const store = await openEventStore(`sqlite:${path}`)
  for (const [stream, events] of appends) await store.append(stream, events, 'any')
  await store.close()
  const { database } = openEventDatabase(path)
  t.teardown(() => database.close())
  return database
}

t.test('a page ends after 500 events', async (t) => {
  const readLog = logReader(await givenLog(t, [['note-a', numbered(1, 700)]]))
  const first = readLog(0)
  t.same([first.rows.length, first.last, first.scannedTo?.rowId], [500, false, 500])
  const second = readLog(first.scannedTo?.rowId ?? 0)
  t.same([second.rows.length, second.last, second.scannedTo?.rowId], [200, true, 700])
})

t.test('a page of large events is limited by its bytes', async (t) => {
  const large = range(1, 12).map((): [string, [ReturnType<typeof newEvent>]] => [
    'note-a',
    [newEvent('x'.repeat(900_000))],
  ])
  const { rows, last, scannedTo } = logReader(await givenLog(t, large))(0)
  t.same([rows.length, last, scannedTo?.rowId], [3, false, 3])
})

t.test('a page of some categories has examined the events of the others', async (t) => {
  const database = await givenLog(t, [
    ['note-a', numbered(1, 2)],
    ['other-a', numbered(3, 5)],
    ['third-a', numbered(6, 6)],
    ['other-a', numbered(7, 9)],
  ])
  const read = logReader(database, ['third', 'note'])(1)
  t.same(
    read.rows.map(({ position }) => position),
    [2, 6],
  )
  t.same([read.last, read.scannedTo?.rowId], [true, 9])
  t.equal(endReader(database)()?.rowId, 9)
})

t.test('categories are read by index', async (t) => {
  const database = await givenLog(t, [
    ['note-a', numbered(1, 600)],
    ['other-a', numbered(601, 1_200)],
  ])
  const read = logReader(database, ['note', 'other'])(0)
  t.same(
    read.rows.map(({ position }) => position),
    range(1, 500),
  )
  t.same([read.last, read.scannedTo?.rowId], [false, 500])
})
