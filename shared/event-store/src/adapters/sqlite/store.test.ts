import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { eventStoreSuite } from '../../event-store.suite.ts'
import type { Position } from '../../event-store.ts'
import {
  appendEach,
  dataOf,
  eventsOf,
  hasData,
  isCaughtUp,
  newEvent,
  numbered,
  range,
  readAll,
  takeUntil,
} from '../../suite/given-store.ts'
import { openEventStore } from '../open-event-store.ts'

let files = 0
const folder = t.testdir({})

function newFile(): { path: string; url: string } {
  const path = join(folder, `${++files}`, 'events.db')
  return { path, url: `sqlite:${path}` }
}

async function givenFile(t: Test) {
  const file = newFile()
  const store = await openEventStore(file.url)
  t.teardown(() => store.close())
  return { ...file, store }
}

const notWritten = new Set(['StoreUnavailable', 'StoreLocked'])

interface Answer {
  stream: string
  ids: string[]
  revision?: number
  error?: string
}

/** Starts another process that appends to the file. `limitKb` limits the size of the file, like a full disk. */
function startWriter(args: (string | number)[], limitKb?: number) {
  const script = join(import.meta.dirname, 'fixtures/writer.ts')
  // Node survives the file size limit; the loader that tap adds through NODE_OPTIONS does not.
  const limit = limitKb === undefined ? '' : `ulimit -f ${limitKb * 2}; unset NODE_OPTIONS;`
  const child = spawn('sh', ['-c', `${limit} exec "$0" "$@"`, process.execPath, script, ...args.map(String)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const answers: Answer[] = []
  const lines = createInterface(child.stdout)
  lines.on('line', (line) => {
    // A killed writer may have written half a line.
    if (line.endsWith('}')) answers.push(JSON.parse(line))
  })
  return { child, answers, ended: Promise.all([once(child, 'exit'), once(lines, 'close')]) }
}

t.test('the behaviour suite', (t) =>
  eventStoreSuite(t, async () => {
    const { url } = newFile()
    const store = await openEventStore(url)
    return { store, reopen: () => openEventStore(url), close: () => store.close() }
  }),
)

t.test('a subscriber receives the appends of another process', async (t) => {
  const { url, store } = await givenFile(t)
  const writing = { ended: Promise.resolve<unknown>(undefined) }
  const items = await takeUntil(
    store,
    { after: 'end', categories: ['note'] },
    (item) => item.kind === 'event' && item.event.revision === 14,
    (item) => {
      if (isCaughtUp(item)) writing.ended = startWriter([url, 'note-a', 1, 5]).ended
    },
  )
  t.strictSame(
    eventsOf(items).map(({ revision }) => revision),
    range(0, 14),
  )
  await writing.ended
})

t.test('several processes can append at once', async (t) => {
  const { url } = newFile()
  const writers = ['a', 'b', 'c'].map((name) => startWriter([url, `note-${name}`, 4, 10]))
  await Promise.all(writers.map(({ ended }) => ended))
  for (const { answers } of writers) {
    t.equal(answers.filter(({ revision }) => revision !== undefined).length, 40)
  }
  const store = await openEventStore(url)
  const items = await takeUntil(store, { after: 'start' }, isCaughtUp)
  t.equal(eventsOf(items).length, 360)
  await store.close()
})

t.test('a new file is readable by its user only, with its log and index', async (t) => {
  const { path, store } = await givenFile(t)
  await appendEach(store, 'note-a', 1, 1)
  for (const name of (await readdir(dirname(path))).filter((name) => !name.endsWith('.lock'))) {
    const { mode } = await stat(join(dirname(path), name))
    t.equal((mode & 0o777).toString(8), '600', name)
  }
})

t.test('a new file that another process is setting up is waited for', async (t) => {
  const { url, path } = newFile()
  await mkdir(dirname(path))
  const script = `const database = new (require('node:sqlite').DatabaseSync)(${JSON.stringify(path)})
    database.exec('BEGIN IMMEDIATE')
    console.log('locked')
    setTimeout(() => database.exec('COMMIT'), 500)`
  const other = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = once(other, 'exit')
  await once(other.stdout, 'data')
  const store = await openEventStore(url)
  t.equal(await store.end(), 'start')
  await store.close()
  await exited
})

t.test('confirmed appends survive kill -9, complete and without gaps', async (t) => {
  const { url } = newFile()
  for (const round of range(1, 3)) {
    const { child, answers, ended } = startWriter([url, `note-${round}`, 8, 100_000])
    while (answers.length < 40 * round) await sleep(5)
    child.kill('SIGKILL')
    await ended
    const store = await openEventStore(url)
    t.ok(answers.every(({ revision }) => revision !== undefined))
    for (const writer of range(0, 7)) {
      const stream = `note-${round}.${writer}`
      const events = await readAll(store.readStream(stream))
      t.strictSame(
        events.map(({ revision }) => revision),
        range(0, events.length - 1),
      )
      t.equal(events.length % 3, 0, 'each append is complete or absent')
      const answered = answers.filter((answer) => answer.stream === stream).flatMap(({ ids }) => ids)
      t.strictSame(
        events.slice(0, answered.length).map(({ id }) => id),
        answered,
        'confirmed events are stored',
      )
    }
    t.equal((await store.append(`note-${round}.0`, [newEvent()], 'any')).revision % 3, 0, 'and appending continues')
    await store.close()
  }
})

t.test('on a full disk confirmed appends are stored and refused ones are not', async (t) => {
  const { url } = newFile()
  const { answers, ended } = startWriter([url, 'note-a', 8, 100_000], 400)
  await ended
  const refused = answers.filter(({ error }) => error !== undefined)
  const answered = answers.filter(({ error }) => error === undefined)
  t.ok(answered.length > 0 && refused.length > 0, `${answered.length} confirmed, ${refused.length} refused`)
  const store = await openEventStore(url)
  const ids = new Set(eventsOf(await takeUntil(store, { after: 'start' }, isCaughtUp)).map(({ id }) => id))
  for (const answer of answered) t.ok(answer.ids.every((id) => ids.has(id)))
  for (const answer of refused) {
    t.match(answer.error, /^(StoreUnavailable|OutcomeUnknown)$/)
    if (notWritten.has(answer.error ?? '')) t.notOk(answer.ids.some((id) => ids.has(id)))
  }
  await store.close()
})

t.test('an append waits for a locked file until its timeout', async (t) => {
  const { path, store } = await givenFile(t)
  const other = new DatabaseSync(path)
  other.exec('BEGIN IMMEDIATE')
  await t.rejects(store.append('note-a', [newEvent('late')], 'none', { timeoutMs: 500 }), { name: 'StoreLocked' })
  await t.rejects(store.check(), { name: 'StoreLocked' }, 'a failed append is known at once')
  const waiting = store.append('note-a', [newEvent('in time')], 'none')
  t.strictSame(await dataOf(store.readStream('note-a')), [], 'reads still work')
  await sleep(50)
  other.exec('ROLLBACK')
  t.equal((await waiting).revision, 0)
  t.strictSame(await dataOf(store.readStream('note-a')), ['in time'])
  await store.check()
  other.close()
})

t.test('a file that another program has locked for writing is opened at once, and read', async (t) => {
  const { path, url, store } = await givenFile(t)
  await store.append('note-a', [newEvent('before')], 'none')
  const other = new DatabaseSync(path)
  other.exec('BEGIN IMMEDIATE')
  const second = await openEventStore(url)
  t.strictSame(await dataOf(second.readStream('note-a')), ['before'])
  await second.check()
  other.close()
  await second.close()
})

t.test('a reopened store has the same events and positions', async (t) => {
  const { url } = newFile()
  const first = await openEventStore(url)
  const [appended] = await appendEach(first, 'note-a', 1, 3)
  const before = await readAll(first.readStream('note-a'))
  await first.close()
  const second = await openEventStore(url)
  t.strictSame(await readAll(second.readStream('note-a')), before)
  const items = await takeUntil(second, { after: appended?.position ?? 'start' }, isCaughtUp)
  t.strictSame(await dataOf(eventsOf(items)), [2, 3])
  t.equal((await second.append('note-a', [newEvent()], 2)).revision, 3)
  await second.close()
})

t.test('positions of another file or beyond the end are refused', async (t) => {
  const { store } = await givenFile(t)
  const { store: other } = await givenFile(t)
  await appendEach(store, 'note-a', 1, 1)
  const { position } = await other.append('note-a', [newEvent()], 'none')
  const invalid = { name: 'InvalidPosition' }
  await t.rejects(takeUntil(store, { after: position }, isCaughtUp), invalid)
  const [own] = await readAll(store.readStream('note-a'))
  const beyond = own?.position.replace(/:\d+(:|$)/, ':2$1') as Position
  await t.rejects(takeUntil(store, { after: beyond }, isCaughtUp), invalid, 'beyond the end')
})

t.test('events of other categories produce checkpoints', async (t) => {
  const { store } = await givenFile(t)
  await store.append('other-a', numbered(1, 700), 'none')
  const items = await takeUntil(store, { after: 'start', categories: ['note'] }, isCaughtUp)
  t.strictSame(
    items.map(({ kind }) => kind),
    ['checkpoint', 'caughtUp'],
  )
  const live = await takeUntil(
    store,
    { after: 'end', categories: ['note'] },
    ({ kind }) => kind === 'checkpoint',
    (item) => isCaughtUp(item) && store.append('other-a', numbered(1, 100), 'any'),
  )
  t.equal(live.at(-1)?.kind, 'checkpoint')
})

t.test('large events are read in pages of bounded size', async (t) => {
  const { store } = await givenFile(t)
  for (const n of range(1, 12))
    await store.append('note-a', [newEvent(`${n}:${'x'.repeat(900_000)}`), newEvent(n)], 'any')
  const sizes = (await dataOf(store.readStream('note-a'))).filter((data) => typeof data === 'number')
  t.strictSame(sizes, range(1, 12))
  const items = await takeUntil(store, { after: 'start', categories: ['note'] }, hasData(12))
  t.equal(eventsOf(items).length, 24)
})

t.test('a position without an event is refused, unless events were moved to the archive', async (t) => {
  const { path, store } = await givenFile(t)
  await appendEach(store, 'note-a', 1, 1)
  const database = new DatabaseSync(path)
  database.exec("UPDATE sqlite_sequence SET seq = 10 WHERE name = 'events'")
  database.close()
  await appendEach(store, 'note-a', 2, 2)
  const between = (await store.end()).replace(/:11:.*/, `:5:${crypto.randomUUID()}`) as Position
  const after = () => dataOf(store.readLog({ after: between, categories: ['note'] }))
  await t.rejects(after(), { name: 'InvalidPosition', message: /another event, or none, at/ })
  await appendEach(store, 'archive-removals', 1, 1)
  t.strictSame(await after(), [2])
})

t.test('the file refuses updates and deletes of events', async (t) => {
  const { path, store } = await givenFile(t)
  await appendEach(store, 'note-a', 1, 1)
  const database = new DatabaseSync(path)
  t.throws(() => database.exec("UPDATE events SET data = '2'"), /never changed/)
  t.throws(() => database.exec('DELETE FROM events'), /not deleted before they are moved to the archive/)
  database.close()
})

t.test('closing lets the process exit', async (t) => {
  const { url } = newFile()
  const script = join(import.meta.dirname, '../fixtures/subscriber.ts')
  const child = spawn(process.execPath, [script, url], { stdio: ['ignore', 'pipe', 'inherit'] })
  const said = child.stdout.setEncoding('utf8').toArray()
  t.strictSame(await once(child, 'exit'), [0, null])
  t.equal((await said).join(''), 'caughtUp\nended\n')
})

t.test('the event loop has a turn between large events, however many come at once', async (t) => {
  const store = await openEventStore(`sqlite:${t.testdir()}/events.db`)
  t.teardown(() => store.close())
  const data = { text: 'x'.repeat(100_000) }
  const large = () => ({ id: crypto.randomUUID(), type: 'TemplateUpdated', data })
  await store.append('template-tpl_1', [large(), large(), large()], 'none')
  const stop = new AbortController()
  let turns = 0
  const timer = setImmediate(function next() {
    turns += 1
    if (!stop.signal.aborted) setImmediate(next)
  })
  t.teardown(() => clearImmediate(timer))
  const at: number[] = []
  for await (const { kind } of store.subscribe({ after: 'start', categories: ['template'], signal: stop.signal })) {
    if (kind === 'event') at.push(turns)
    if (at.length === 3) break
  }
  stop.abort()
  t.equal(new Set(at).size, 3, `turns ${at}`)
})
