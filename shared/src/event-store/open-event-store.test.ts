import { existsSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import t from 'tap'
import { openEventStore } from './open-event-store.ts'

t.test('a SQLite file is made, with its folder', async (t) => {
  const path = join(t.testdir({}), 'made/for/this/events.db')
  await (await openEventStore(`sqlite:${path}`)).close()
  t.ok(existsSync(path))
})

t.test('a relative path is taken from the working directory', async (t) => {
  const path = join(t.testdir({}), 'events.db')
  await (await openEventStore(`sqlite:${relative(process.cwd(), path)}`)).close()
  t.ok(existsSync(path))
})

t.test('an address that names no file is refused by its name', async (t) => {
  for (const url of [
    '',
    'events.db',
    'sqlite:',
    'sqlite::memory:',
    'sqlite:folder/',
    'postgres://user:secret@host/db',
  ]) {
    const { message } = await openEventStore(url).then(
      () => new Error('accepted'),
      (err: Error) => err,
    )
    t.match(message, /^EVENT_STORE_URL must .*sqlite:<path of a file>/, url)
    t.notMatch(message, /secret/)
  }
})

t.test('an EventStoreDB is opened by any of its four schemes, and need not be up', async (t) => {
  for (const scheme of ['esdb', 'esdb+discover', 'kurrentdb', 'kurrentdb+discover']) {
    const opening = openEventStore(`${scheme}://user:secret@127.0.0.1:1`)
    await t.resolves(
      opening.then((store) => store.close()),
      scheme,
    )
  }
})

t.test('an EventStoreDB that cannot be opened: no word of the password', async (t) => {
  for (const url of [
    'esdb://user:secret@host?tls=no',
    'esdb://user:secret@host?tlsCAFile=none.crt',
    'esdb:user:secret',
  ]) {
    const { message, cause } = await openEventStore(url).then(
      () => new Error('accepted'),
      (err: Error) => err,
    )
    t.match(message, /^EVENT_STORE_URL/, url)
    t.notMatch(`${message} ${cause}`, /secret/)
  }
})

t.test('a file that is no event store', async (t) => {
  const path = join(t.testdir({}), 'notes.txt')
  writeFileSync(path, 'something else altogether, long enough to be looked at'.repeat(100))
  await t.rejects(openEventStore(`sqlite:${path}`), /EVENT_STORE_URL: cannot open .*not a database/)
})
