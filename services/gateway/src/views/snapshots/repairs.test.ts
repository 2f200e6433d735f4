import { appendFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createLogger } from '@platen/foundation/runtime/logger.ts'
import type { ObjectStore } from '@platen/object-store/object-store.ts'
import { damagePages } from '@platen/test-support/damage-database.ts'
import { startBackingServices } from '@platen/test-support/start-backing-services.ts'
import { until } from '@platen/test-support/until.ts'
import { Registry } from 'prom-client'
import t, { type Test } from 'tap'
import { openViews } from '../open-views.ts'
import { runViews } from '../run-views.ts'
import { bound, follow, generate, given, load, reasons, signing, take } from './given-snapshots.ts'
import { listSnapshots, readManifest } from './list-snapshots.ts'
import { runSnapshots, type SnapshotTimes } from './run-snapshots.ts'

t.setTimeout(300_000)

const often: SnapshotTimes = { firstAfterMs: 1, everyMs: 50, leastEvents: 20, mostEvents: 1e6, pauseMs: 50 }

/** Gateways that look for what to do all the time. */
async function givenGateways(t: Test) {
  const running = await startBackingServices()
  t.teardown(() => running[Symbol.asyncDispose]())
  const { services, folder } = running
  const { store, objects, bus } = services
  const log = createLogger('test', 'silent')
  const start = async (name: string, ofObjects: ObjectStore = objects, times = often) => {
    const path = join(folder, name, 'views.db')
    const views = runViews({ path, store, log, metrics: new Registry(), fail: (err) => t.fail(err.message) })
    await views.caughtUp
    const stop = new AbortController()
    const taking = runSnapshots({
      path,
      views,
      bus,
      store,
      objects: ofObjects,
      signing,
      retentionDays: 0,
      instance: name,
      log,
      hasEnded: () => false,
      times,
      stopping: stop.signal,
    })
    let ended: Promise<void> | undefined
    const end = () => {
      stop.abort()
      ended ??= taking.then(() => views[Symbol.asyncDispose]())
      return ended
    }
    t.teardown(end)
    return { path, views, end }
  }
  const newest = async () => {
    const [found] = (await listSnapshots(objects)).filter(({ hasManifest }) => hasManifest)
    return found && (await readManifest(objects, signing, found.stem).catch(() => undefined))
  }
  return { store, objects, start, newest }
}

t.test(
  'views that were not repaired when others were are replaced by their snapshot, and then snapshots are taken of them',
  async (t) => {
    const { store, start, newest } = await givenGateways(t)
    const ids = await generate(store, 30)
    const repaired = await start('repaired')
    const other = await start('other')
    await until(newest, 'a snapshot is taken')
    {
      // A row that the log does not have. Only the first gateway is repaired.
      using wrong = openViews(other.path)
      wrong.database.db.exec("INSERT INTO owners VALUES ('own_wrong', '2026', '{}')")
      using views = openViews(repaired.path)
      views.purged(new Date())
    }
    const { purgedAt } = repaired.views.applied()
    await until(async () => (await newest())?.purged_at === purgedAt || undefined, 'its snapshot replaces the others')
    await until(async () => other.views.applied().purgedAt === purgedAt || undefined, 'the other gateway uses it')
    t.equal(other.views.owners.find('own_wrong'), undefined)
    t.ok(ids.every((id) => other.views.generations.find(id)))
    await repaired.end()
    await generate(store, 25)
    await until(async () => (await newest())?.events === 55 || undefined, 'the other one takes the next snapshot')
    t.equal((await newest())?.purged_at, purgedAt)
  },
)

t.test('after damage all snapshots are replaced, as they may have it', async (t) => {
  const { store, start, newest } = await givenGateways(t)
  const ids = await generate(store, 30)
  const gateway = await start('damaged')
  const before = await until(newest, 'a snapshot is taken')
  t.equal(before.purged_at, '')
  damagePages(gateway.path)
  await generate(store, 1)
  await until(async () => ((await newest())?.purged_at ?? '') > '' || undefined, 'another snapshot is taken')
  t.ok(ids.every((id) => gateway.views.generations.find(id)))
})

t.test('the bucket is listed once for each time that a gateway looks', async (t) => {
  const { store, objects, start, newest } = await givenGateways(t)
  await generate(store, 30)
  const calls: string[] = []
  const counted = bound(objects)
  const { list, put, delete: remove } = counted
  await start(
    'counted',
    Object.assign(counted, {
      list(...args: Parameters<ObjectStore['list']>) {
        calls.push('list')
        return list(...args)
      },
      put(...args: Parameters<ObjectStore['put']>) {
        calls.push('put')
        return put(...args)
      },
      delete(...args: Parameters<ObjectStore['delete']>) {
        calls.push('delete')
        return remove(...args)
      },
    }),
  )
  for (const events of [30, 50, 70]) {
    await until(async () => (await newest())?.events === events || undefined, 'a snapshot is taken')
    if (events < 70) await generate(store, 20)
  }
  await until(async () => calls.includes('delete') || undefined, 'the oldest snapshot is removed')
  const taken = calls.join(' ').match(/list put put( delete delete)?/g) ?? []
  t.equal(taken.length, 3)
  t.match(taken.at(-1), /delete/, 'what is old is known from the list before')
})

t.test('while many events are recorded, snapshots are taken more often', async (t) => {
  const { store, objects, start, newest } = await givenGateways(t)
  await generate(store, 30)
  await start('busy', objects, { ...often, everyMs: 3_600_000, mostEvents: 40 })
  const first = await until(newest, 'a snapshot is taken')
  await generate(store, 50)
  await until(async () => ((await newest())?.events ?? 0) >= first.events + 40 || undefined, 'another one')
})

t.test('a snapshot from before a repair is not loaded, whatever is wrong with the one after it', async (t) => {
  const all = await given(t)
  const { store, objects, first, second, folder } = all
  const third = join(folder, 'third', 'views.db')
  await generate(store, 30)
  await follow(third, store, () => {})
  await generate(store, 1)
  await follow(first, store, () => {})
  await take(first, objects)
  {
    using views = openViews(third)
    views.purged(new Date())
  }
  await take(third, objects)
  t.match((await load(second, all)).origin, /with 30 events$/, 'although the other one has more events')
  await rm(join(second, '..'), { recursive: true })
  const [, older] = await listSnapshots(objects)
  await appendFile(join(all.snapshots, `${older?.stem}.00000.zst`), 'x')
  const { origin, lines } = await load(second, all)
  t.match(origin, 'none of 2 can be used')
  t.match(reasons(lines)[0], /SHA-256/)
})
