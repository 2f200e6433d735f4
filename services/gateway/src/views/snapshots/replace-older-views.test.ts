import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openEventStore } from '@platen/event-store/adapters/open-event-store.ts'
import t from 'tap'
import { describeViews } from './describe-views.ts'
import { bound, follow, generate, given, load, take } from './given-snapshots.ts'
import { loadingPath } from './load-snapshot.ts'

t.setTimeout(300_000)

type Given = Awaited<ReturnType<typeof given>>

/** Views with 10 events at `second`, and a snapshot with 60. */
async function givenOlder(all: Given): Promise<string[]> {
  const { store, objects, first, second } = all
  const ids = await generate(store, 10)
  await follow(second, store, () => {})
  ids.push(...(await generate(store, 50)))
  await follow(first, store, () => {})
  await take(first, objects)
  return ids
}

t.test('views that are far older than a snapshot are replaced by it', async (t) => {
  const all = await given(t)
  const ids = await givenOlder(all)
  t.match(await load(all.second, all, { leastEvents: 51 }), { origin: undefined, lines: [] })
  t.equal(describeViews(all.second).events, 10)
  t.match((await load(all.second, all, { leastEvents: 50 })).origin, /^from the snapshot of .*, with 60 events$/)
  t.equal(describeViews(all.second).events, 60)
  await follow(all.second, all.store, (views) => t.ok(ids.every((id) => views.generations.find(id))))
})

t.test('they are left until the snapshot is whole', async (t) => {
  const all = await given(t)
  await givenOlder(all)
  const refusing = Object.assign(bound(all.objects), {
    get: (key: string, ...rest: []) =>
      key.endsWith('.zst') ? Promise.reject(new Error('gone')) : all.objects.get(key, ...rest),
  })
  t.equal((await load(all.second, { ...all, objects: refusing }, { leastEvents: 50 })).origin, undefined)
  t.equal(describeViews(all.second).events, 10)
  // Of a process that was killed.
  await writeFile(loadingPath(all.second), 'half a file')
  t.equal((await load(all.second, all)).origin, undefined)
  t.equal(describeViews(all.second).events, 10)
  t.notOk(existsSync(loadingPath(all.second)))
})

t.test('views that were repaired are not replaced by a snapshot from before', async (t) => {
  const all = await given(t)
  await givenOlder(all)
  await follow(all.second, all.store, (views) => views.purged(new Date()))
  await generate(all.store, 50)
  await follow(all.first, all.store, () => {})
  await take(all.first, all.objects)
  t.equal((await load(all.second, all, { leastEvents: 50 })).origin, undefined)
  t.equal(describeViews(all.second).events, 60)
})

t.test('views of another event store are not replaced: their gateway says so', async (t) => {
  const all = await given(t)
  await givenOlder(all)
  const other = await openEventStore(`sqlite:${join(all.folder, 'other.db')}`)
  t.teardown(() => other.close())
  await generate(other, 3)
  const path = join(all.folder, 'third', 'views.db')
  await follow(path, other, () => {})
  t.match(await load(path, all, { leastEvents: 50 }), { origin: undefined, lines: [] })
  t.equal(describeViews(path).events, 3)
})

t.test('without the right to list snapshots the views are left, and nothing warns', async (t) => {
  const all = await given(t)
  await givenOlder(all)
  const refusing = Object.assign(bound(all.objects), {
    // biome-ignore lint/correctness/useYield: it fails before it yields
    async *list() {
      throw new Error('AccessDenied')
    },
  })
  t.match(await load(all.second, { ...all, objects: refusing }), { origin: undefined, lines: [{ level: 'info' }] })
})
