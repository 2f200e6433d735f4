import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { until } from '@platen/test-support/until.ts'
import t, { type Test } from 'tap'
import { StoreLocked } from '../../event-store.ts'
import { openEventDatabase } from './schema.ts'
import { WriteLock } from './write-lock.ts'

const locked = {
  name: 'StoreLocked',
  message: /another program, or a commit that waits for the disk, keeps its file locked$/,
}
const forEver = 2 ** 31

/** `end` is the position of the last event. */
function given(t: Test, patienceMs: number) {
  const path = join(t.testdir({}), 'events.db')
  const { database, lock: shared } = openEventDatabase(path)
  const other = new DatabaseSync(path)
  const log = { end: 1 }
  const lock = new WriteLock({ database, readEnd: () => log.end, patienceMs })
  t.teardown(() => {
    lock[Symbol.dispose]()
    for (const one of [database, other]) one.close()
    shared[Symbol.dispose]()
  })
  const passes = () => {
    try {
      lock.check()
      return true
    } catch {
      return undefined
    }
  }
  return { lock, other, log, passes }
}

t.test('a lock of another program is noticed, and its end without being asked', async (t) => {
  const { lock, other, passes } = given(t, 0)
  lock.check()
  other.exec('BEGIN IMMEDIATE')
  await until(() => (passes() ? undefined : true), 'the lock is not noticed')
  t.throws(() => lock.check(), locked)
  other.exec('ROLLBACK')
  await until(passes, 'its end is not noticed')
})

t.test('a lock that is held for a moment is no failure, unless an append was refused because of it', async (t) => {
  const { lock, other, passes } = given(t, forEver)
  other.exec('BEGIN IMMEDIATE')
  lock.check()
  lock.check()
  lock.refused(new StoreLocked('it has waited'))
  t.throws(() => lock.check(), locked)
  lock.proven()
  lock.check()
  lock.refused(new StoreLocked('it has waited'))
  other.exec('ROLLBACK')
  await until(passes, 'its end is not noticed')
})

t.test('programs that lock the file again and again do not count while events are recorded', async (t) => {
  const { lock, other, log, passes } = given(t, 0)
  other.exec('BEGIN IMMEDIATE')
  t.throws(() => lock.check(), locked)
  log.end++
  await until(passes, 'the event is not noticed')
})

t.test('a try writes nothing, and keeps no lock', async (t) => {
  const { lock, other } = given(t, forEver)
  const version = () => other.prepare('PRAGMA data_version').get()?.data_version
  const before = version()
  lock.check()
  t.equal(version(), before)
  other.exec('BEGIN IMMEDIATE; ROLLBACK')
})
