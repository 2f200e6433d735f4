import { existsSync } from 'node:fs'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createLogger } from '@platen/foundation/runtime/logger.ts'
import { Registry } from 'prom-client'
import t from 'tap'
import { openViews } from '../open-views.ts'
import { runViews } from '../run-views.ts'
import { bound, follow, generate, given, load, signing, take } from './given-snapshots.ts'
import { loadSnapshot } from './load-snapshot.ts'

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
    ...{ path: second, store, objects, signing, retentionDays: 0, log: createLogger('test', 'silent') },
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
    ...{ path: first, store, log: createLogger('test', 'silent'), metrics: new Registry(), fail: failed.resolve },
    loaded: { origin: 'from a snapshot', flushed: flushing.promise },
  })
  await views.caughtUp
  flushing.reject(new Error('EIO'))
  t.match(await failed.promise, { message: /cannot be flushed to the disk/, cause: { message: 'EIO' } })
  await views[Symbol.asyncDispose]()
})
