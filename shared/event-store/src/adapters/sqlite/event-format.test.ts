import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import type { EventCatalogue } from '../../event-catalogue.ts'
import { dataOf, newEvent } from '../../suite/given-store.ts'
import { claimEventStore, requireClaimedStore } from '../claim-event-store.ts'
import { openEventStore } from '../open-event-store.ts'

/** A note is a number. */
const catalogue: EventCatalogue = {
  categories: new Set(['note']),
  versionOf: () => 1,
  upcast: ({ data }) => data,
  whyUnreadable: ({ data }) => (typeof data === 'number' ? undefined : 'it is no number'),
}

/** A file with these events, whose format is then another one. */
async function givenFile(t: Test, { format, notes }: { format: number; notes: unknown[] }) {
  const path = join(t.testdir(), 'events.db')
  const store = await openEventStore(`sqlite:${path}`)
  await store.append('note-a', notes.map((note) => newEvent(note as string)) as never, 'none')
  await store.append('other-a', [newEvent('of another application')], 'none')
  await store.close()
  setFormat(path, format)
  return { path, url: `sqlite:${path}` }
}

function setFormat(path: string, format: number) {
  const database = new DatabaseSync(path)
  database.exec(`PRAGMA user_version = ${format}; PRAGMA wal_checkpoint(TRUNCATE)`)
  database.close()
}

function formatOf(path: string) {
  const database = new DatabaseSync(path, { readOnly: true })
  const { user_version } = database.prepare('PRAGMA user_version').get() ?? {}
  database.close()
  return user_version
}

t.test(
  'a file of an earlier state is opened if all of its events can be read, and refused by that state from then on',
  async (t) => {
    const { path, url } = await givenFile(t, { format: 1, notes: [1, 2] })
    await t.rejects(openEventStore(url), /schema version 1, this program needs 2 or 3/, 'nobody opens it unread')
    claimEventStore(url, catalogue)
    claimEventStore(url, catalogue)
    t.equal(formatOf(path), 2)
    const store = await openEventStore(url)
    t.strictSame(await dataOf(store.readStream('note-a')), [1, 2])
    await store.close()
  },
)

t.test(
  'a file of an earlier state with an event that cannot be read is refused by name, and not changed',
  async (t) => {
    const { path, url } = await givenFile(t, { format: 1, notes: [1, 'two'] })
    const before = await readFile(path)
    t.throws(() => claimEventStore(url, catalogue), {
      message:
        /^EVENT_STORE_URL: .*events\.db was written by an earlier state of .*event 1 of note-a.*it is no number.*Nothing was changed/,
    })
    t.ok(before.equals(await readFile(path)))
    t.equal(formatOf(path), 1)
  },
)

t.test('a file that a process of an earlier state has open is not made one of this format under it', async (t) => {
  const { path, url } = await givenFile(t, { format: 1, notes: [1] })
  const older = new DatabaseSync(path)
  older.exec('SELECT count(*) FROM events')
  t.throws(() => claimEventStore(url, catalogue), {
    message:
      /^EVENT_STORE_URL: .*earlier state.*another process has it open: stop that process first\. Nothing was changed$/,
  })
  t.equal(formatOf(path), 1)
  older.close()
  claimEventStore(url, catalogue)
  t.equal(formatOf(path), 2)
  const ours = new DatabaseSync(path)
  claimEventStore(url, catalogue)
  ours.close()
})

t.test('several processes may claim a file at once', async (t) => {
  const { path, url } = await givenFile(t, { format: 1, notes: Array.from({ length: 500 }, (_, number) => number) })
  const program = `
    import { claimEventStore } from ${JSON.stringify(import.meta.resolve('../claim-event-store.ts'))}
    const slow = { categories: new Set(['note']), upcast: ({ data }) => data, whyUnreadable() {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1)
    } }
    claimEventStore(${JSON.stringify(url)}, slow)`
  const runs = [1, 2, 3].map(() => promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program]))
  await Promise.all(runs)
  t.equal(formatOf(path), 2)
})

t.test('who only reads refuses a file of an earlier state, and writes nothing to it', async (t) => {
  const { path, url } = await givenFile(t, { format: 1, notes: [1] })
  const before = await readFile(path)
  t.throws(() => requireClaimedStore(url, catalogue), {
    message: /earlier state of Platen's source. The next start of Platen/,
  })
  t.equal(formatOf(path), 1)
  t.ok(before.equals(await readFile(path)))
  claimEventStore(url, catalogue)
  requireClaimedStore(url, catalogue)
  requireClaimedStore(`sqlite:${path}.none`, catalogue)
  requireClaimedStore('esdb://127.0.0.1:1?tls=false', catalogue)
  const foreign = await givenFile(t, { format: 1, notes: ['one'] })
  t.throws(() => requireClaimedStore(foreign.url, catalogue), { message: /it is no number.*Nothing was changed/ })
  t.equal(formatOf(foreign.path), 1)
})

t.test('a file of a newer format is refused, also if this version could read its events', async (t) => {
  const { path, url } = await givenFile(t, { format: 4, notes: [1] })
  claimEventStore(url, catalogue)
  await t.rejects(openEventStore(url), /EVENT_STORE_URL: .*schema version 4, this program needs 2 or 3: a newer Platen/)
  t.equal(formatOf(path), 4)
})

t.test('a claim leaves other stores, and files that are not there, alone', async (t) => {
  claimEventStore('esdb://127.0.0.1:1?tls=false', catalogue)
  const path = join(t.testdir(), 'events.db')
  claimEventStore(`sqlite:${path}`, catalogue)
  await t.rejects(readFile(path), { code: 'ENOENT' })
})
