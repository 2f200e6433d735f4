import { existsSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import t from 'tap'
import { openEventStore } from './open-event-store.ts'

t.test('a SQLite file is created with its folder', async (t) => {
  const path = join(t.testdir({}), 'made/for/this/events.db')
  await (await openEventStore(`sqlite:${path}`)).close()
  t.ok(existsSync(path))
})

t.test('a relative path is resolved against the working directory', async (t) => {
  const path = join(t.testdir({}), 'events.db')
  await (await openEventStore(`sqlite:${relative(process.cwd(), path)}`)).close()
  t.ok(existsSync(path))
})

t.test('a URL without a file is refused with the name of the setting', async (t) => {
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

t.test('an EventStoreDB opens with any of its four schemes and need not be running', async (t) => {
  for (const scheme of ['esdb', 'esdb+discover', 'kurrentdb', 'kurrentdb+discover']) {
    const opening = openEventStore(`${scheme}://user:secret@127.0.0.1:1`)
    await t.resolves(
      opening.then((store) => store.close()),
      scheme,
    )
  }
})

t.test('the error for an EventStoreDB that cannot be opened contains no password', async (t) => {
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

t.test('a file that is not a database is refused', async (t) => {
  const path = join(t.testdir({}), 'notes.txt')
  writeFileSync(path, 'not a database, and long enough to be read as one'.repeat(100))
  await t.rejects(openEventStore(`sqlite:${path}`), /EVENT_STORE_URL: cannot open .*not a database/)
})
