import { existsSync } from 'node:fs'
import { open, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createLogger } from '@platen/foundation/runtime/logger.ts'
import { Registry } from 'prom-client'
import t from 'tap'
import { openViews } from '../open-views.ts'
import { runViews } from '../run-views.ts'
import { bound, follow, generate, given, load, signing, take } from './given-snapshots.ts'
import { loadSnapshot } from './load-snapshot.ts'
import { flushViews, markUnflushed } from './unflushed.ts'

t.setTimeout(300_000)

t.test('views that were not flushed before a power failure are loaded again', async (t) => {
  const all = await given(t)
  const { store, objects, first, second } = all
  const ids = await generate(store, 20)
  await follow(first, store, () => {})
  await take(first, objects)
  const mark = `${second}.unflushed`
  let isMarked = false
  const loaded = await loadSnapshot({
    path: second,
    store,
    objects,
    signing,
    retentionDays: 0,
    log: createLogger('test', 'silent'),
    onProgress: () => {
      isMarked = existsSync(mark)
    },
  })
  t.ok(isMarked, 'there is a mark before the file is in place')
  await loaded?.flushed
  t.notOk(existsSync(mark))
  await writeFile(mark, '')
  {
    using views = openViews(second)
    views.database.db.exec('DELETE FROM generations')
  }
  t.match((await load(second, all)).origin, /^from the snapshot/)
  t.same(await readdir(join(second, '..')), ['views.db'])
  await follow(second, store, (views) => t.ok(ids.every((id) => views.generations.find(id))))
})

t.test('a mark that a load has left which came to nothing removes no views', async (t) => {
  const all = await given(t)
  const { store, objects, first, second } = all
  await generate(store, 3)
  await follow(first, store, () => {})
  await take(first, objects)
  const cut = Object.assign(bound(objects), {
    get: (key: string, ...rest: []) =>
      key.endsWith('.zst') ? Promise.reject(new Error('gone')) : objects.get(key, ...rest),
  })
  t.match((await load(second, { ...all, objects: cut })).origin, 'none of 1 can be used')
  await follow(second, store, () => {})
  t.equal((await load(second, all)).origin, undefined)
})

t.test('a failed flush of views that are in use ends the process', async (t) => {
  const { store, first } = await given(t)
  await generate(store, 3)
  await follow(first, store, () => {})
  const flushing = Promise.withResolvers<void>()
  const failed = Promise.withResolvers<Error>()
  const views = runViews({
    path: first,
    store,
    log: createLogger('test', 'silent'),
    metrics: new Registry(),
    fail: failed.resolve,
    loaded: { origin: 'from a snapshot', flushed: flushing.promise },
  })
  await views.caughtUp
  flushing.reject(new Error('EIO'))
  t.match(await failed.promise, { message: /cannot be flushed to the disk/, cause: { message: 'EIO' } })
  await views[Symbol.asyncDispose]()
})

t.test('a gateway that is stopped does not wait for the flush of its views', async (t) => {
  const { store, first } = await given(t)
  await generate(store, 3)
  const endless = new Promise<void>(() => {})
  let isStopped = false
  const stop = () => {
    isStopped = true
  }
  const views = runViews({
    path: first,
    store,
    log: createLogger('test', 'silent'),
    metrics: new Registry(),
    fail: (err) => t.fail(err.message),
    loaded: { origin: 'from a snapshot', flushed: endless, stop },
  })
  await views.caughtUp
  await views[Symbol.asyncDispose]()
  t.ok(isStopped)
  t.ok(existsSync(`${first}-wal`), 'the file is not closed, which would flush it')
})

t.test('a flush that fails or is stopped leaves the mark', async (t) => {
  const { folder } = await given(t)
  const path = join(folder, 'views.db')
  const mark = `${path}.unflushed`
  await markUnflushed(path)
  const going = new AbortController()
  // A device cannot be flushed.
  await t.rejects(flushViews(path, await open('/dev/null'), going.signal), /EINVAL/)
  t.ok(existsSync(mark))
  const file = await open(path, 'wx')
  const flushing = flushViews(path, file, going.signal)
  going.abort()
  await t.rejects(flushing, { name: 'AbortError' })
  t.ok(existsSync(mark))
  await flushViews(path, await open(path), new AbortController().signal)
  t.notOk(existsSync(mark))
})

t.test('after a flush another process writes back what was changed, before the gateway would', async (t) => {
  const { first } = await given(t)
  using views = openViews(first)
  const { database } = views
  database.holdCheckpoints(new Promise(() => {}))
  const insert = database.db.prepare("INSERT INTO owners VALUES (?, '2026', ?)")
  for (let number = 0; number < 20; number++) insert.run(`own_${number}`, 'x'.repeat(2 ** 20))
  t.ok((await stat(first)).size < 2 ** 20, 'all is in the write-ahead log')
  await flushViews(first, await open(first), new AbortController().signal)
  t.ok((await stat(first)).size > 20 * 2 ** 20)
})
