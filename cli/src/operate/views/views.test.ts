import { randomUUID } from 'node:crypto'
import { closeSync, existsSync, mkdirSync, openSync, rmSync, truncateSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openEventStore } from '@platen/event-store/adapters/open-event-store.ts'
import { lockFile } from '@platen/foundation/runtime/file-lock.ts'
import { newId } from '@platen/foundation/runtime/ids.ts'
import { createLogger } from '@platen/foundation/runtime/logger.ts'
import { runViews } from '@platen/gateway/views/run-views.ts'
import { buildingPath, readyPath } from '@platen/service-kit/projections/prepared-view.ts'
import { damagePages } from '@platen/test-support/damage-database.ts'
import { until } from '@platen/test-support/until.ts'
import { Registry } from 'prom-client'
import t from 'tap'
import { jsonLines, runCli } from '../../testing/run-cli.ts'

t.setTimeout(600_000)

t.test('views are compared with the log, and rebuilt beside those in use', async (t) => {
  const dataDir = t.testdir({})
  const path = join(dataDir, 'gateway', 'views.db')
  const store = await openEventStore(`sqlite:${dataDir}/events.db`)
  t.teardown(() => store.close())
  const platen = (...args: string[]) => runCli({ DATA_DIR: dataDir }, args)
  t.match(await platen('views', 'check'), {
    code: 1,
    stderr: 'run this on the machine of a gateway, with its DATA_DIR',
  })

  const ids: string[] = []
  const generate = async () => {
    const id = newId('pdf')
    const event = (type: string, data: object) => ({ id: randomUUID(), type, data: { ...data } })
    const requested = event('GenerationRequested', { api_key_id: 'key_1', owner_id: 'own_default' })
    const failed = event('GenerationFailed', { code: 'RENDER_FAILED', message: 'no' })
    await store.append(`generation-${id}`, [requested, failed], 'none')
    ids.push(id)
    return id
  }
  for (let count = 0; count < 20; count++) await generate()
  const start = () =>
    runViews({
      path,
      store,
      log: createLogger('test', 'silent'),
      metrics: new Registry(),
      fail: (err) => t.fail(err.message),
    })
  await using stack = new AsyncDisposableStack()
  const views = stack.use(start())
  await views.caughtUp
  t.match(await platen('views', 'check'), { code: 0, stdout: 'no differences after' })

  const damage = new DatabaseSync(path)
  damage.exec('PRAGMA busy_timeout = 5000')
  damage.prepare('DELETE FROM generations WHERE id = ?').run(ids[3] ?? '')
  damage.prepare("UPDATE generations SET status = 'completed' WHERE id = ?").run(ids[5] ?? '')
  damage.exec(
    `INSERT INTO generations(id, owner_id, api_key_id, status, state)
     VALUES ('pdf_zz', 'own_default', 'key_1', 'failed', '{}')`,
  )
  damage.close()
  const found = await platen('views', 'check', '--json')
  t.equal(found.code, 1)
  t.match(jsonLines(found), [
    { table: 'generations', key: ids[3], in_log: { status: 'failed' } },
    { table: 'generations', key: ids[5], in_view: { status: 'completed' }, in_log: { status: 'failed' } },
    { table: 'generations', key: 'pdf_zz', in_view: { id: 'pdf_zz' } },
  ])
  t.match((await platen('views', 'check')).stdout, /^generations pdf_\w+: the view has nothing, the log gives \{/)

  // Under load, events recorded meanwhile appear as soon as the views have caught up.
  const stop = new AbortController()
  stack.defer(() => stop.abort())
  let reads = 0
  const load = (async () => {
    while (!stop.signal.aborted) {
      const id = await generate()
      // On a busy machine a client gets a 503 and retries.
      const isCaughtUp = await views.untilCaughtUp().then(
        () => true,
        () => false,
      )
      if (!isCaughtUp) continue
      if (views.generations.find(id) === undefined) t.fail(`${id} is not in the views`)
      reads += 1
    }
  })()
  t.equal(views.applied().purgedAt, '')
  const rebuilt = JSON.parse((await platen('views', 'rebuild', '--json')).stdout)
  t.match(views.applied().purgedAt, /^20/, 'older snapshots, which may have the same wrong rows, are replaced')
  t.match(rebuilt, { path, state: 'in_use' })
  const before = reads
  await until(() => (reads > before + 5 ? true : undefined), 'the load has stopped')
  stop.abort()
  await load
  t.match(await platen('views', 'check'), { code: 0 })
  await stack.disposeAsync()

  t.match(await platen('views', 'rebuild', '--wait', '1s'), { code: 0, stdout: 'the next start does' })
  t.ok(existsSync(`${path}.ready`))
  await using again = start()
  await again.caughtUp
  t.notOk(existsSync(`${path}.ready`))
  t.ok(ids.every((id) => again.generations.find(id) !== undefined))
})

t.test('rebuilt views that a gateway has taken and not used are not said to be in use', async (t) => {
  const dataDir = t.testdir({})
  const path = join(dataDir, 'gateway', 'views.db')
  const store = await openEventStore(`sqlite:${dataDir}/events.db`)
  t.teardown(() => store.close())
  {
    const log = createLogger('test', 'silent')
    await using views = runViews({ path, store, log, metrics: new Registry(), fail: () => {} })
    await views.caughtUp
  }
  const rebuilding = runCli({ DATA_DIR: dataDir }, ['views', 'rebuild'])
  // As a gateway that ends before they have caught up.
  await until(() => existsSync(readyPath(path)) || undefined, 'the new views are ready')
  rmSync(readyPath(path))
  t.match(await rebuilding, { code: 1, stdout: 'the gateway has not taken the new views' })
})

t.test('views are not rebuilt twice at once', async (t) => {
  const dataDir = t.testdir({})
  const path = join(dataDir, 'gateway', 'views.db')
  const store = await openEventStore(`sqlite:${dataDir}/events.db`)
  t.teardown(() => store.close())
  mkdirSync(dirname(path))
  const platen = (...args: string[]) => runCli({ DATA_DIR: dataDir }, ['views', 'rebuild', ...args])
  {
    using _other = lockFile(`${buildingPath(path)}.lock`, 'exclusive')
    t.match(await platen('--wait', '1s'), {
      code: 1,
      stderr: /views\.db is being rebuilt by .*wait for it, or stop it/,
    })
  }
  t.match(await platen('--wait', '1s'), { code: 0, stdout: 'the next start does' })
})

t.test('damaged views are found, and replaced by the gateway or by views rebuild', async (t) => {
  const dataDir = t.testdir({})
  const path = join(dataDir, 'gateway', 'views.db')
  const store = await openEventStore(`sqlite:${dataDir}/events.db`)
  t.teardown(() => store.close())
  const platen = (...args: string[]) => runCli({ DATA_DIR: dataDir }, args)
  const ids: string[] = []
  const generate = async () => {
    const id = newId('pdf')
    const requested = { api_key_id: 'key_1', owner_id: 'own_default', metadata: { order: id } }
    await store.append(`generation-${id}`, [{ id: randomUUID(), type: 'GenerationRequested', data: requested }], 'none')
    ids.push(id)
  }
  for (let count = 0; count < 200; count++) await generate()
  const start = () =>
    runViews({
      path,
      store,
      log: createLogger('test', 'silent'),
      metrics: new Registry(),
      fail: (err) => t.fail(err.message),
    })
  const isRepaired = async () => ((await platen('views', 'check')).code === 0 ? true : undefined)

  {
    await using views = start()
    await views.caughtUp
    damagePages(path)
    t.match(await platen('views', 'check'), { code: 1, stdout: 'the file is damaged', stderr: 'views rebuild' })
    t.match(jsonLines(await platen('views', 'check', '--json'))[0], { damage: String })
    await generate()
    await until(isRepaired, 'the views that are in use are repaired')
    await until(
      () =>
        views.check.check().then(
          () => true,
          () => undefined,
        ),
      'the views are current',
    )
    t.ok(ids.every((id) => views.generations.find(id) !== undefined))

    damagePages(path)
    t.throws(() => views.generations.find(ids[0] ?? ''), { message: /damaged/ }, 'a reader is told to come again')
    t.match(await platen('views', 'rebuild', '--json'), { code: 0 })
    await until(isRepaired, 'the rebuilt views are in use')
    await until(
      () =>
        views.untilCaughtUp().then(
          () => true,
          () => undefined,
        ),
      'the views have caught up',
    )
    t.ok(ids.every((id) => views.generations.find(id) !== undefined))
  }
  damagePages(path)
  {
    await using views = start()
    await views.caughtUp
    t.ok(
      ids.every((id) => views.generations.find(id) !== undefined),
      'a start with damaged views rebuilds them',
    )
  }
  for (const damage of [() => truncateSync(path), () => truncateSync(path, 5_000), () => rmSync(path)]) {
    for (const suffix of ['-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true })
    damage()
    t.equal((await platen('views', 'check')).code, 1)
    await using views = start()
    await views.caughtUp
    await until(isRepaired, 'the views are as the log says')
  }
})

t.test('an index that lacks rows is damage, although the tables are right', async (t) => {
  const dataDir = t.testdir({})
  const path = join(dataDir, 'gateway', 'views.db')
  const store = await openEventStore(`sqlite:${dataDir}/events.db`)
  t.teardown(() => store.close())
  const requested = { api_key_id: 'key_1', owner_id: 'own_default' }
  await store.append(
    `generation-${newId('pdf')}`,
    [{ id: randomUUID(), type: 'GenerationRequested', data: requested }],
    'none',
  )
  {
    await using views = runViews({
      path,
      store,
      log: createLogger('test', 'silent'),
      metrics: new Registry(),
      fail: (err) => t.fail(err.message),
    })
    await views.caughtUp
  }
  const db = new DatabaseSync(path)
  const index = db
    .prepare(
      "SELECT name, rootpage FROM sqlite_master WHERE type = 'index' AND tbl_name = 'generations' AND sql IS NOT NULL",
    )
    .get()
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  db.close()
  const file = openSync(path, 'r+')
  // An empty leaf of an index: no freeblock, no cells, contents from the end of the page.
  writeSync(file, Buffer.from([0x0a, 0, 0, 0, 0, 0x10, 0, 0]), 0, 8, (Number(index?.rootpage) - 1) * 4_096)
  closeSync(file)
  t.match(await runCli({ DATA_DIR: dataDir }, ['views', 'check']), {
    code: 1,
    stdout: /missing from index|wrong # of entries/,
  })
})
