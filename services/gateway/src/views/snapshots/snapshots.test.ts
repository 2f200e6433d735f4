import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { appendFile, copyFile, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { openEventStore } from '@platen/event-store/adapters/open-event-store.ts'
import { unreadable } from '@platen/event-store/with-catalogue.ts'
import { createLogger } from '@platen/foundation/runtime/logger.ts'
import type { ObjectStore } from '@platen/object-store/object-store.ts'
import { signingFrom } from '@platen/service-kit/signing/signing.ts'
import { startFakeEventStoreDb } from '@platen/test-support/fake-eventstoredb/start-fake-eventstoredb.ts'
import { startBackingServices } from '@platen/test-support/start-backing-services.ts'
import { until } from '@platen/test-support/until.ts'
import { Registry } from 'prom-client'
import t from 'tap'
import { openViews } from '../open-views.ts'
import { runViews } from '../run-views.ts'
import { bound, follow, generate, given, load, reasons, signing, take } from './given-snapshots.ts'
import { listSnapshots, readManifest } from './list-snapshots.ts'
import { loadingPath } from './load-snapshot.ts'
import { runSnapshots, type SnapshotTimes } from './run-snapshots.ts'
import { encodeManifest, type Snapshot } from './snapshot.ts'
import { copyPath, takeSnapshot } from './take-snapshot.ts'

t.setTimeout(300_000)

t.test('a gateway without views goes on from a snapshot, and has what the log says', async (t) => {
  const all = await given(t)
  const { store, objects, first, second } = all
  const before = await generate(store, 40)
  await follow(first, store, () => {})
  const snapshot = await take(first, objects)
  t.equal(snapshot.events, 40)
  const after = await generate(store, 5)
  const { origin, lines, states } = await load(second, all)
  t.match(origin, /^from the snapshot of .*, with 40 events$/)
  t.match(lines, [{ level: 'info', message: 'views loaded from a snapshot' }])
  t.match(states, [/^the views are loaded from a snapshot: (0\.\d) of \1 MB verified \(100 %\)$/])
  {
    using loaded = openViews(second)
    t.equal(loaded.database.checkpoint(), snapshot.position)
  }
  await follow(second, store, (views) => {
    for (const id of [...before, ...after]) t.ok(views.generations.find(id), id)
    t.equal(views.applied().events, 45, 'the others were not applied again')
  })
  t.same(
    (await readdir(join(second, '..'))).filter((name) => /loading|snapshot/.test(name)),
    [],
  )
  t.same(
    (await readdir(join(first, '..'))).filter((name) => /loading|snapshot/.test(name)),
    [],
  )
  t.equal((await load(second, all)).origin, undefined, 'views that are there are kept')
})

t.test('what a gateway with views that was killed has left of a snapshot is removed', async (t) => {
  const all = await given(t)
  const { store, first } = all
  await generate(store, 1)
  await follow(first, store, () => {})
  for (const left of [copyPath(first), loadingPath(first)]) await writeFile(left, 'half')
  t.equal((await load(first, all)).origin, undefined)
  t.same(
    (await readdir(join(first, '..'))).filter((name) => /loading|snapshot/.test(name)),
    [],
  )
})

t.test('views of another version are replaced by a snapshot', async (t) => {
  const all = await given(t)
  await generate(all.store, 3)
  await follow(all.first, all.store, () => {})
  await take(all.first, all.objects)
  await follow(all.second, all.store, () => {})
  const db = new DatabaseSync(all.second)
  db.exec('PRAGMA user_version = 1')
  db.close()
  let isThere = true
  const objects = Object.assign(bound(all.objects), {
    async get(...args: Parameters<ObjectStore['get']>) {
      isThere = existsSync(all.second)
      return all.objects.get(...args)
    },
  })
  t.match(await load(all.second, { ...all, objects }), { origin: /^from the snapshot/ })
  t.notOk(isThere, 'before the snapshot is written: the disk may have no space for both')
})

t.test('a snapshot that is broken in any way is not used, and an older one is', async (t) => {
  const all = await given(t)
  const { store, objects, first, second, snapshots } = all
  await generate(store, 30)
  await follow(first, store, () => {})
  await take(first, objects)
  await generate(store, 1)
  await follow(first, store, () => {})
  await take(first, objects)
  const [newest] = await listSnapshots(objects)
  const [, older] = await listSnapshots(objects)
  const file = (suffix: string) => join(snapshots, `${newest?.stem}.${suffix}`)
  const olderManifest = () => readManifest(objects, signing, older?.stem ?? '')
  const change = async (other: Partial<Snapshot>) => {
    const snapshot = await readManifest(objects, signing, newest?.stem ?? '')
    await writeFile(file('json'), encodeManifest({ ...snapshot, ...other }, signing))
  }
  const damages: [string, RegExp, () => Promise<void>][] = [
    ['a byte of a part', /SHA-256/, async () => flip(file('00000.zst'))],
    ['a part is longer', /SHA-256/, () => appendFile(file('00000.zst'), 'x')],
    ['a part is shorter', /SHA-256/, () => truncate(file('00000.zst'), 100)],
    [
      'a part of another snapshot',
      /SHA-256/,
      () => copyFile(join(snapshots, `${older?.stem}.00000.zst`), file('00000.zst')),
    ],
    ['the file is longer', /does not have 4096 bytes/, () => change({ size: 4_096 })],
    ['the file is shorter', /does not have 99999999 bytes/, () => change({ size: 99_999_999 })],
    ['another position', /of another position/, async () => change({ position: (await olderManifest()).position })],
    ['other tables', /views of another version/, () => change({ schema: '0'.repeat(16) })],
    ['a byte of the manifest', /manifest is damaged/, () => flip(file('json'))],
    ['half of the manifest', /manifest is damaged/, async () => truncate(file('json'), 100)],
    ['an empty manifest', /manifest is damaged/, () => writeFile(file('json'), '')],
  ]
  for (const [name, reason, damage] of damages) {
    const whole = new Map(
      await Promise.all(['00000.zst', 'json'].map(async (end) => [end, await readFile(file(end))] as const)),
    )
    await damage()
    const { origin, lines } = await load(second, all)
    t.match(origin, /with 30 events$/, name)
    t.match(lines[0]?.message, 'a snapshot of the views cannot be used', name)
    t.match(reasons(lines)[0], reason, name)
    await rm(join(second, '..'), { recursive: true })
    for (const [end, bytes] of whole) await writeFile(file(end), bytes)
  }
  for (const end of ['00000.zst', 'json']) {
    const bytes = await readFile(file(end))
    await rm(file(end))
    t.match((await load(second, all)).origin, /with 30 events$/, `without ${end}`)
    await rm(join(second, '..'), { recursive: true })
    await writeFile(file(end), bytes)
  }
  t.match((await load(second, all)).origin, /with 31 events$/, 'it is whole again')
})

async function flip(path: string): Promise<void> {
  const bytes = await readFile(path)
  const at = Math.floor(bytes.length / 2)
  bytes[at] = (bytes[at] ?? 0) ^ 1
  await writeFile(path, bytes)
}

t.test('a manifest that was signed with another secret is not used', async (t) => {
  const all = await given(t)
  await generate(all.store, 3)
  await follow(all.first, all.store, () => {})
  const other = signingFrom('another secret, also of 32 characters')
  await takeSnapshot({
    path: all.first,
    objects: all.objects,
    signing: other,
    retentionDays: 0,
    signal: new AbortController().signal,
  })
  const { origin, lines } = await load(all.second, all)
  t.match(origin, 'none of 1 can be used')
  t.match(reasons(lines)[0], /SIGNING_SECRET/)
})

t.test('a snapshot with events that a restored log does not have is refused', async (t) => {
  const all = await given(t)
  const { folder, store, objects, first, second } = all
  await generate(store, 10)
  await follow(first, store, () => {})
  await take(first, objects)
  const backup = new DatabaseSync(join(folder, 'events.db'))
  backup.prepare('VACUUM INTO ?').run(join(folder, 'restored.db'))
  backup.close()
  await generate(store, 5)
  await follow(first, store, () => {})
  await take(first, objects)
  const restored = await openEventStore(`sqlite:${join(folder, 'restored.db')}`)
  t.teardown(() => restored.close())
  const expectOlder = async (name: string) => {
    const { origin, lines } = await load(second, { store: restored, objects })
    t.match(origin, /with 10 events$/, name)
    t.match(reasons(lines)[0], /older copy .* was restored/, name)
    await rm(join(second, '..'), { recursive: true })
  }
  await expectOlder('the log ends before')
  await generate(restored, 8)
  await expectOlder('the log has other events there')
})

t.test('a snapshot of a shorter retention is not used', async (t) => {
  const all = await given(t)
  await generate(all.store, 3)
  await follow(all.first, all.store, () => {})
  await take(all.first, all.objects, 30)
  t.match((await load(all.second, all, { retentionDays: 0 })).origin, 'without a snapshot')
  t.match((await load(all.second, all, { retentionDays: 60 })).origin, 'without a snapshot')
  t.match((await load(all.second, all, { retentionDays: 30 })).origin, /^from the snapshot/)
})

t.test('a snapshot without events that its release could not read is used by that release only', async (t) => {
  const all = await given(t)
  const { store, objects, first, second, snapshots } = all
  await generate(store, 3)
  await follow(first, store, ({ apply, database }) => {
    const position = database.checkpoint()
    if (position === undefined) throw new Error('the views are empty')
    const event = { stream: 'owner-own_1', revision: 0, position, id: 'x', type: unreadable, data: null, metadata: {} }
    database.advance(position, () => apply([{ ...event, recordedAt: new Date() }]))
  })
  t.match(await take(first, objects), { unreadable: 1, events: 4 })
  t.match((await load(second, all)).origin, /^from the snapshot/)
  await rm(second)
  const [name = ''] = (await readdir(snapshots)).filter((name) => name.endsWith('.json'))
  const text = (await readFile(join(snapshots, name), 'utf8')).split('\n')[0] ?? ''
  const older = JSON.stringify({ ...JSON.parse(text), release: '0.0.0' })
  await writeFile(join(snapshots, name), `${older}\n${signing.snapshotSignature(older)}\n`)
  t.match(reasons((await load(second, all)).lines), [/release 0.0.0 could not read 1 of its events/])
})

t.test('until the views have caught up their check says where they are, and how they began', async (t) => {
  const { store, first } = await given(t)
  await generate(store, 1_200)
  const log = createLogger('test', 'silent')
  const loaded = { origin: 'without a snapshot: there is none' }
  await using views = runViews({ path: first, store, log, metrics: new Registry(), fail: () => {}, loaded })
  const states: string[] = []
  let isBehind = true
  void views.caughtUp.then(() => {
    isBehind = false
  })
  for (let turn = 0; isBehind && turn < 100_000; turn++) {
    await views.check.check().catch((err) => states.push(err.message))
    await new Promise(setImmediate)
  }
  t.match(states[0], 'the views are behind: no event read yet (without a snapshot: there is none)')
  t.ok(
    states.some((state) => /^the views are behind: \d+ events read \([1-9]\d? %\), up to 20.*Z \(without/.test(state)),
  )
  await views.check.check()
})

t.test('without snapshots, and without the right to list them, all events are read', async (t) => {
  const all = await given(t)
  t.match(await load(all.second, all), { origin: 'without a snapshot: there is none', lines: [] })
  const refusing = Object.assign(bound(all.objects), {
    // biome-ignore lint/correctness/useYield: it fails before it yields
    async *list() {
      throw new Error('AccessDenied')
    },
  })
  t.match(await load(all.second, { ...all, objects: refusing }), {
    origin: /object store does not list/,
    lines: [{ level: 'warn', message: /cannot be listed; reading all events/ }],
  })
})

t.test('a snapshot that is interrupted after any write is never used', async (t) => {
  const all = await given(t)
  const { store, objects, first, second, snapshots } = all
  await generate(store, 20)
  await follow(first, store, () => {})
  let writes = 0
  const failingAt = (at: number): ObjectStore =>
    Object.assign(bound(objects), {
      async put(...args: Parameters<ObjectStore['put']>) {
        if (writes++ === at) throw new Error('the process ends here')
        await objects.put(...args)
      },
    })
  for (let at = 0; at < 2; at++) {
    writes = 0
    await t.rejects(take(first, failingAt(at)), { message: 'the process ends here' })
    t.match((await load(second, all)).origin, 'without a snapshot: there is none', `after ${at} writes`)
  }
  t.equal((await readdir(snapshots)).length, 1, 'a part without a manifest is left')
  // What a killed process leaves.
  await writeFile(copyPath(first), 'half a copy')
  await take(first, objects)
  t.match((await load(second, all)).origin, /^from the snapshot/)
  await rm(second)
  await writeFile(loadingPath(second), 'half a file')
  await writeFile(copyPath(second), 'half a copy')
  t.match((await load(second, all)).origin, /^from the snapshot/)
  t.same((await readdir(join(second, '..'))).sort(), ['views.db'])
})

t.test('loading that is interrupted after any part leaves no views', async (t) => {
  const all = await given(t)
  await generate(all.store, 20)
  await follow(all.first, all.store, () => {})
  await take(all.first, all.objects)
  const refusing = Object.assign(bound(all.objects), {
    get: (key: string, ...rest: []) =>
      key.endsWith('.zst') ? Promise.reject(new Error('gone')) : all.objects.get(key, ...rest),
  })
  t.match((await load(all.second, { ...all, objects: refusing })).origin, 'none of 1 can be used')
  t.same(await readdir(join(all.second, '..')), [])
})

t.test('content that is removed after the snapshot does not come back', async (t) => {
  const all = await given(t)
  const { store, objects, first, second } = all
  const [erased = '', kept = ''] = await generate(store, 2)
  await store.append(`generation-${erased}`, [{ id: crypto.randomUUID(), type: 'GenerationCancelled', data: {} }], 0)
  await follow(first, store, () => {})
  await take(first, objects)
  const content = { objects: 1, dead_letters: 0 }
  await store.append(`generation-${erased}`, [{ id: crypto.randomUUID(), type: 'ContentErased', data: content }], 1)
  await load(second, all)
  await follow(second, store, (views) => {
    t.match(views.generations.find(erased)?.state, { erased: content })
    t.notOk((views.generations.find(kept)?.state as { erased?: unknown } | undefined)?.erased)
  })
})

t.test('one of two gateways takes a snapshot when it is due, and old ones are removed', async (t) => {
  const running = await startBackingServices()
  t.teardown(() => running[Symbol.asyncDispose]())
  const { services, folder } = running
  const { store, objects, bus } = services
  const paths = ['one', 'two'].map((name) => join(folder, name, 'views.db'))
  await generate(store, 30)
  const stop = new AbortController()
  t.teardown(() => stop.abort())
  const log = createLogger('test', 'silent')
  const times: SnapshotTimes = { firstAfterMs: 1, everyMs: 50, leastEvents: 20, mostEvents: 1e6, pauseMs: 50 }
  const gateways = await Promise.all(
    paths.map(async (path) => {
      const views = runViews({ path, store, log, metrics: new Registry(), fail: () => {} })
      await views.caughtUp
      return { path, views }
    }),
  )
  const common = {
    bus,
    store,
    objects,
    signing,
    retentionDays: 0,
    hasEnded: () => false,
    times,
    log,
    stopping: stop.signal,
  }
  const taking = gateways.map(({ path, views }) => runSnapshots({ ...common, path, views, instance: path }))
  const whole = async () => (await listSnapshots(objects)).filter(({ hasManifest }) => hasManifest)
  await until(async () => (await whole()).length > 0 || undefined, 'a snapshot is taken')
  await delay(500)
  t.equal((await whole()).length, 1, 'no second one without new events')
  await generate(store, 5)
  await delay(500)
  t.equal((await whole()).length, 1, 'nor after a few')
  const [oldest] = await whole()
  for (let round = 0; round < 2; round++) {
    await generate(store, 20)
    await until(
      async () => ((await whole())[0]?.stem !== oldest?.stem && (await whole()).length === 2) || undefined,
      'another snapshot',
    )
  }
  await until(
    async () => !(await whole()).some(({ stem }) => stem === oldest?.stem) || undefined,
    'the oldest is removed',
  )
  t.equal((await whole()).length, 2)
  const purged = new Date().toISOString()
  for (const path of paths) {
    using views = openViews(path)
    views.purged(new Date(purged))
  }
  await until(
    async () => (await whole()).length === 1 || undefined,
    'a snapshot without what was removed replaces the others',
  )
  const [{ stem } = { stem: '' }] = await whole()
  t.equal((await readManifest(objects, signing, stem)).purged_at, purged)
  stop.abort()
  await Promise.all(taking)
  for (const { views } of gateways) await views[Symbol.asyncDispose]()
  t.match((await load(join(folder, 'three', 'views.db'), services)).origin, /with 75 events/)
})

t.test('views of several parts are loaded part by part', async (t) => {
  const all = await given(t)
  await generate(all.store, 3)
  await follow(all.first, all.store, ({ database }) => {
    const insert = database.db.prepare("INSERT INTO owners VALUES (?, '2026', ?)")
    for (let number = 0; number < 15; number++) insert.run(`own_${number}`, randomBytes(2 ** 20).toString('base64'))
  })
  const { parts, size } = await take(all.first, all.objects)
  t.ok(parts.length > 1 && size > 15 * 2 ** 20)
  const before = process.memoryUsage().arrayBuffers
  t.match(await load(all.second, all), {
    origin: /^from the snapshot/,
    states: [/4\.2 of 1\d MB verified \(2\d %\)$/, / MB verified/, / MB verified/, /\(100 %\)$/],
  })
  t.ok(process.memoryUsage().arrayBuffers < before + 4 * 2 ** 20, 'the parts are not in memory any more')
  const rows = (path: string) => {
    using views = openViews(path)
    return views.database.db.prepare('SELECT * FROM owners ORDER BY id').all()
  }
  t.strictSame(rows(all.second), rows(all.first))
})

t.test('a snapshot of a log in EventStoreDB is loaded, and refused by another server', async (t) => {
  const all = await given(t)
  const fake = await startFakeEventStoreDb()
  t.teardown(() => fake[Symbol.asyncDispose]())
  const store = await openEventStore(fake.url)
  t.teardown(() => store.close())
  await generate(store, 20)
  await follow(all.first, store, () => {})
  await take(all.first, all.objects)
  const later = await generate(store, 2)
  t.match((await load(all.second, { ...all, store })).origin, /with 20 events$/)
  await follow(all.second, store, (views) => t.ok(later.every((id) => views.generations.find(id))))
  await rm(join(all.second, '..'), { recursive: true })
  t.match((await load(all.second, all)).origin, 'none of 1 can be used')
})
