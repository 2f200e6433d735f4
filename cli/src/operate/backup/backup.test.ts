import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openEventStore } from '@platen/event-store/adapters/open-event-store.ts'
import { adoptionFile } from '@platen/service-kit/host/adoption-file.ts'
import t from 'tap'
import { jsonLines, runCli } from '../../testing/run-cli.ts'

t.test('a backup of a running node is put back, and what was there is kept aside', async (t) => {
  const folder = t.testdir({ data: { objects: { pdfs: { 'a.pdf': 'first' } }, 'signing-secret': 's1', gateway: {} } })
  const dataDir = join(folder, 'data')
  const target = join(folder, 'backup')
  const platen = (...args: string[]) => runCli({ DATA_DIR: dataDir }, args)
  t.match(await platen('backup', target), { code: 1, stderr: 'there is no event store' })
  const store = await openEventStore(`sqlite:${dataDir}/events.db`)
  const append = (stream: string) =>
    store.append(stream, [{ id: randomUUID(), type: 'TemplateDeleted', data: {} }], 'none')
  await append('template-a')
  const made = await platen('backup', target, '--json')
  t.match(JSON.parse(made.stdout), { folder: target, events: 1, objects: 1, object_bytes: 5 })
  t.strictSame((await readdir(target)).sort(), ['backup.json', 'events.db', 'objects', 'signing-secret'])

  // A day later.
  await append('template-b')
  await writeFile(join(dataDir, 'objects/pdfs/b.pdf'), 'second')
  await writeFile(join(dataDir, 'signing-secret'), 's2')
  await store.close()
  const lock = new DatabaseSync(join(dataDir, 'lock.db'))
  lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
  t.match(await platen('restore', target), { code: 1, stderr: 'Platen is running with' })
  lock.close()
  t.match(await platen('restore', folder), { code: 1, stderr: 'there is no backup in' })

  await mkdir(join(dataDir, 'nats'))
  const { replaced, ...restored } = JSON.parse((await platen('restore', target, '--json')).stdout)
  t.match(restored, { events: 1, objects: 1 })
  t.strictSame(
    jsonLines(await platen('events')).map(({ stream }) => stream),
    ['template-a'],
  )
  t.strictSame(await readdir(join(dataDir, 'objects/pdfs')), ['a.pdf'])
  t.equal(await readFile(join(dataDir, 'signing-secret'), 'utf8'), 's1')
  t.ok(existsSync(join(dataDir, 'nats')), 'the queue stays')
  t.notOk(existsSync(join(dataDir, 'gateway')), 'views are of other events')
  t.ok(existsSync(join(replaced, 'objects/pdfs/b.pdf')))
  t.ok(existsSync(adoptionFile(dataDir)), 'the next start goes on with the restored log')

  const fresh = await runCli({ DATA_DIR: join(folder, 'fresh') }, ['restore', target])
  t.match(fresh, { code: 0, stdout: '1 events until' })
  t.notMatch(fresh.stdout, 'replaced-', 'nothing was there')
  t.notOk((await readdir(join(folder, 'fresh'))).some((name) => name.startsWith('replaced-')))

  await writeFile(join(target, 'events.db'), 'no database, but long enough to look like one'.repeat(200))
  t.match(await platen('restore', target), { code: 1, stderr: /^platen: / })
  t.match(await runCli({ EVENT_STORE_URL: 'esdb://x:2113', OBJECT_STORE_URL: 's3://x/y' }, ['backup', target]), {
    code: 1,
    stderr: 'use the backup of your EventStoreDB and of your S3',
  })
})

t.test('other users can read neither a backup nor what is restored, also in folders that they can read', async (t) => {
  const folder = t.testdir({ data: { objects: { pdfs: { 'a.pdf': 'first' } }, 'signing-secret': 's1' }, backup: {} })
  const [dataDir, target, restoredDir] = [join(folder, 'data'), join(folder, 'backup'), join(folder, 'restored')]
  const store = await openEventStore(`sqlite:${dataDir}/events.db`)
  await store.append('template-a', [{ id: randomUUID(), type: 'TemplateDeleted', data: {} }], 'none')
  await store.close()
  await chmod(join(dataDir, 'signing-secret'), 0o600)
  await mkdir(restoredDir)
  await chmod(target, 0o755)
  await chmod(restoredDir, 0o755)
  const before = process.umask(0o022)
  t.teardown(() => process.umask(before))
  t.match(await runCli({ DATA_DIR: dataDir }, ['backup', target]), { code: 0 })
  process.umask(0o022)
  t.match(await runCli({ DATA_DIR: restoredDir }, ['restore', target]), { code: 0 })
  for (const place of [target, restoredDir]) {
    const open: string[] = []
    for (const entry of await readdir(place, { recursive: true, withFileTypes: true })) {
      const { mode } = await stat(join(entry.parentPath, entry.name))
      // A file in a folder that is closed cannot be read.
      if (entry.parentPath === place && (mode & 0o077) !== 0) open.push(entry.name)
    }
    t.same(open, [], place)
  }
})
