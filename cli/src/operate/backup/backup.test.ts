import { spawn } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, chown, mkdir, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { openEventStore } from '@platen/event-store/adapters/open-event-store.ts'
import { lockFile } from '@platen/foundation/runtime/file-lock.ts'
import { claimFile } from '@platen/service-kit/host/claim-file.ts'
import { openLoopDisk } from '@platen/test-support/loop-disk.ts'
import t, { type Test } from 'tap'
import { jsonLines, type Ran, runCli } from '../../testing/run-cli.ts'

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
  const written = new Date('2026-01-31T12:00:00.453Z')
  await utimes(join(dataDir, 'objects/pdfs/a.pdf'), written, written)
  await mkdir(join(dataDir, 'objects/views'))
  await writeFile(join(dataDir, 'objects/views/snapshot'), 'views are made again from the events')
  const made = await platen('backup', target, '--json')
  t.match(JSON.parse(made.stdout), { folder: target, events: 1, objects: 1, object_bytes: 5 })
  t.strictSame((await readdir(target)).sort(), ['backup.json', 'files', 'lock.db'])
  const lastBackup = async () => JSON.parse(await readFile(join(dataDir, 'objects/platen/last-backup'), 'utf8'))
  t.strictSame(await lastBackup(), { at: JSON.parse(made.stdout).created_at, where: target })
  const restoring = { code: 1, stderr: /process \d+ .*has the event store .*events.db open; stop all/ }
  t.match(await platen('restore', target), restoring, 'the store is open')

  // A day later.
  await append('template-b')
  await writeFile(join(dataDir, 'objects/pdfs/b.pdf'), 'second')
  await writeFile(join(dataDir, 'signing-secret'), 's2')
  await store.close()
  {
    using _node = lockFile(join(dataDir, 'lock.db'), 'exclusive')
    t.match(await platen('restore', target), { code: 1, stderr: 'Platen is running with' })
  }
  t.match(await platen('restore', folder), { code: 1, stderr: 'there is no whole backup in' })

  await mkdir(join(dataDir, 'nats'))
  const { replaced, ...restored } = JSON.parse((await platen('restore', target, '--json')).stdout)
  t.match(restored, { events: 1, objects: 1 })
  t.strictSame(
    jsonLines(await platen('events')).map(({ stream }) => stream),
    ['template-a'],
  )
  t.strictSame(await readdir(join(dataDir, 'objects/pdfs')), ['a.pdf'])
  const { mtimeMs } = await stat(join(dataDir, 'objects/pdfs/a.pdf'))
  t.equal(Math.round(mtimeMs), written.getTime(), 'its retention does not begin again')
  t.equal(await readFile(join(dataDir, 'signing-secret'), 'utf8'), 's1')
  t.ok(existsSync(join(dataDir, 'nats')), 'the queue stays')
  t.notOk(existsSync(join(dataDir, 'gateway')), 'views are of other events')
  t.strictSame(
    replaced.map((path: string) => path.replace(/[^/]+$/, '')),
    [`${dataDir}/`, `${dataDir}/objects/`],
  )
  t.ok(existsSync(join(replaced[1], 'pdfs/b.pdf')))
  t.ok(existsSync(claimFile(dataDir)), 'the next start goes on with the restored log')

  const fresh = await runCli({ DATA_DIR: join(folder, 'fresh') }, ['restore', target])
  t.match(fresh, { code: 0, stdout: '1 events until' })
  t.match(fresh.stdout, 'There is no queue here: what was queued has to be sent again', 'nats/ is not in a backup')
  t.match((await platen('restore', target)).stdout, 'Queued generations are still in the queue')
  t.notMatch(fresh.stdout, 'replaced-', 'nothing was there')
  t.notOk((await readdir(join(folder, 'fresh'))).some((name) => name.startsWith('replaced-')))

  t.match(await runCli({ EVENT_STORE_URL: 'esdb://x:2113', OBJECT_STORE_URL: 's3://x/y' }, ['backup', target]), {
    code: 1,
    stderr: 'use the backup of your EventStoreDB and of your S3',
  })
})

t.test('a backup ends while events are recorded all the time, and has those until it began', async (t) => {
  const folder = t.testdir({ data: {} })
  const [dataDir, target] = [join(folder, 'data'), join(folder, 'backup')]
  const store = await openEventStore(`sqlite:${dataDir}/events.db`)
  t.teardown(() => store.close())
  // More than is copied in one step.
  const html = 'x'.repeat(900_000)
  const append = (html: string) =>
    store.append(`template-${randomUUID()}`, [{ id: randomUUID(), type: 'A', data: { html } }], 'none')
  for (let n = 0; n < 30; n++) await append(html)
  let isOver = false
  let later = 0
  const recording = (async () => {
    while (!isOver && later < 5_000) {
      await append('')
      later += 1
    }
  })()
  const made = runCli({ DATA_DIR: dataDir }, ['backup', target, '--json']).finally(() => (isOver = true))
  await recording
  t.ok(later < 5_000, 'it does not begin again with each event')
  const { events } = JSON.parse((await made).stdout)
  t.ok(events >= 30 && events <= 30 + later, `it has ${events} events`)
})

t.test('a restore names the paths of what is not in DATA_DIR', async (t) => {
  const folder = t.testdir({ data: {}, events: {}, objects: {} })
  const at = (name: string) => join(folder, name)
  const urls = { EVENT_STORE_URL: `sqlite:${at('events/events.db')}`, OBJECT_STORE_URL: `file:${at('objects')}` }
  await (await openEventStore(urls.EVENT_STORE_URL)).close()
  const platen = (...args: string[]) => runCli({ DATA_DIR: at('data'), ...urls }, args)
  await platen('backup', at('backup'))
  const places = `restored to ${at('events/events.db')}, ${at('objects')}, ${at('data')} (the rest)`
  t.match(await platen('restore', '--dry-run', at('backup')), { stdout: places })
  t.match(await platen('restore', at('backup')), { stdout: places })
  t.match(await runCli({ DATA_DIR: at('new') }, ['restore', at('backup')]), { stdout: `restored to ${at('new')}\n` })
})

t.test('a folder that cannot be written is refused in a sentence, also by a dry run', async (t) => {
  const { dataDir, target, platen } = await backedUp(t)
  const file = join(dataDir, 'signing-secret')
  for (const to of [file, join(file, 'below')]) {
    const stderr = `a backup cannot be written to ${to}: ${file} is no folder`
    for (const dry of [[], ['--dry-run']]) t.match(await platen('backup', to, ...dry), { code: 1, stderr })
  }
  const before = await readdir(target, { recursive: true })
  t.match(await platen('backup', join(target, 'new/folder'), '--dry-run'), { code: 0 })
  t.match(await platen('backup', target, '--dry-run'), { code: 0 })
  t.strictSame(await readdir(target, { recursive: true }), before)
})

const skip = process.getuid?.() === 0 ? false : 'only root can give files to another user'
t.test('what root restores belongs to the user of the folder', { skip }, async (t) => {
  const { dataDir, target, platen } = await backedUp(t)
  const user = 12_345
  await chown(dataDir, user, user)
  await chown(join(dataDir, 'objects'), user, user)
  t.match(await platen('backup', target), { code: 0 })
  t.match(await platen('restore', target), { code: 0 })
  for (const path of ['events.db', 'signing-secret', 'objects/pdfs', 'objects/pdfs/a.pdf'])
    t.equal((await stat(join(dataDir, path))).uid, user, path)
})

t.test('objects on another disk, to which a link leads, are backed up, and put back there', async (t) => {
  const folder = t.testdir({ data: { objects: {} }, disk: { pdfs: { 'a.pdf': 'first' } } })
  const [dataDir, target] = [join(folder, 'data'), join(folder, 'backup')]
  const platen = (...args: string[]) => runCli({ DATA_DIR: dataDir }, args)
  await symlink(join(folder, 'disk/pdfs'), join(dataDir, 'objects/pdfs'))
  const store = await openEventStore(`sqlite:${dataDir}/events.db`)
  await store.append('template-a', [{ id: randomUUID(), type: 'TemplateDeleted', data: {} }], 'none')
  await store.close()
  t.match(JSON.parse((await platen('backup', target, '--json')).stdout), { objects: 1 })
  await writeFile(join(folder, 'disk/pdfs/b.pdf'), 'second')
  const { replaced } = JSON.parse((await platen('restore', target, '--json')).stdout)
  t.strictSame(await readdir(join(folder, 'disk/pdfs')), ['a.pdf'])
  t.equal(await readFile(join(dataDir, 'objects/pdfs/a.pdf'), 'utf8'), 'first', 'the link is kept')
  const kept = replaced.filter((path: string) => path.startsWith(join(folder, 'disk/replaced-')))
  t.strictSame((await readdir(join(kept[0], 'pdfs'))).sort(), ['a.pdf', 'b.pdf'])
  await rm(join(folder, 'disk/pdfs'), { recursive: true })
  t.match(await platen('restore', target), { code: 0 })
  t.strictSame(await readdir(join(folder, 'disk/pdfs')), ['a.pdf'], 'also if there is nothing where the link leads')
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

t.test('a second backup copies only what is new, and makes up for what the first one has lost', async (t) => {
  const { dataDir, target, platen } = await backedUp(t)
  const object = (name: string) => join(dataDir, 'objects/pdfs', name)
  const inodes = async () => {
    const found = new Map<string, number>()
    for (const entry of await readdir(join(target, 'files'), { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name)
      if (entry.isFile()) found.set(await readFile(path, 'latin1'), (await stat(path)).ino)
    }
    return found
  }
  const before = await inodes()
  await writeFile(object('c.pdf'), 'third')
  // Same size, another time: only reading it shows that the content differs.
  await writeFile(object('b.pdf'), 'OTHER')
  const second = JSON.parse((await platen('backup', target, '--json')).stdout)
  t.match(second, { objects: 3, object_bytes: 15, copied: 2 })
  const after = await inodes()
  t.equal(after.get('first'), before.get('first'), 'the file was not written again')
  t.ok(after.has('third') && after.has('OTHER'))
  t.notOk(after.has('other'), 'what is not named any more is removed')
  t.match(await platen('backup', target), { stdout: '0 files were new' })

  await rm(object('a.pdf'))
  t.match(JSON.parse((await platen('backup', target, '--json')).stdout), { objects: 2, copied: 0 })
  const sha256 = createHash('sha256').update('third').digest('hex')
  await rm(join(target, 'files', sha256.slice(0, 2), sha256))
  t.match(JSON.parse((await platen('backup', target, '--json')).stdout), { objects: 2, copied: 1 })
  t.match(await platen('restore', target), { code: 0 })
  t.equal(await readFile(object('c.pdf'), 'utf8'), 'third')
})

/** A folder with data and a backup of them. */
async function backedUp(t: Test) {
  const folder = t.testdir({
    data: {
      objects: { pdfs: { 'a.pdf': 'first', 'b.pdf': 'other' } },
      'signing-secret': 's',
      // No part of a backup: the event store has the hash of the key.
      'first-api-key': 'pk_1',
    },
  })
  const [dataDir, target] = [join(folder, 'data'), join(folder, 'backup')]
  const platen = (...args: string[]): Promise<Ran> => runCli({ DATA_DIR: dataDir }, args)
  const store = await openEventStore(`sqlite:${dataDir}/events.db`)
  await store.append('template-a', [{ id: randomUUID(), type: 'TemplateDeleted', data: {} }], 'none')
  await store.close()
  t.match(await platen('backup', target), { code: 0 })
  return { dataDir, target, platen }
}

t.test('what somebody else has in the folder of a backup stays there', async (t) => {
  const folder = t.testdir({
    data: {},
    home: { files: { 'letter.txt': 'x', ab: { photo: 'x' }, 'new-0-wal': 'left' } },
  })
  const [dataDir, home] = [join(folder, 'data'), join(folder, 'home')]
  const store = await openEventStore(`sqlite:${dataDir}/events.db`)
  await store.append('template-a', [{ id: randomUUID(), type: 'TemplateDeleted', data: {} }], 'none')
  await store.close()
  t.match(await runCli({ DATA_DIR: dataDir }, ['backup', home]), { code: 0 })
  t.ok(existsSync(join(home, 'files/letter.txt')) && existsSync(join(home, 'files/ab/photo')))
  t.notOk(existsSync(join(home, 'files/new-0-wal')), 'what an interrupted backup has left is removed')
})

t.test('a backup with a changed, emptied, missing or foreign file is refused, and nothing is changed', async (t) => {
  const { dataDir, target, platen } = await backedUp(t)
  const before = (await readdir(dataDir, { recursive: true })).sort()
  const manifest = await readFile(join(target, 'backup.json'), 'utf8')
  const { list } = JSON.parse(manifest)
  const contentPath = (sha256: string) => join(target, 'files', sha256.slice(0, 2), sha256)
  const text = await readFile(contentPath(list.sha256), 'utf8')
  const files: { path: string; sha256: string }[] = jsonLines({ code: 0, stdout: text, stderr: '' })
  t.strictSame(files.map(({ path }) => path).sort(), [
    'events.db',
    'objects/pdfs/a.pdf',
    'objects/pdfs/b.pdf',
    'signing-secret',
  ])
  for (const { path, sha256 } of [...files, { path: 'the list of files', sha256: list.sha256 }]) {
    const content = await readFile(contentPath(sha256))
    const changed = Buffer.from(content)
    changed[changed.length >> 1] = (changed[changed.length >> 1] ?? 0) ^ 1
    for (const [how, damage] of [
      [/has \d+ bytes and the SHA-256 /, () => writeFile(contentPath(sha256), changed)],
      [/has 0 bytes and the SHA-256 /, () => writeFile(contentPath(sha256), '')],
      [/is missing/, () => rm(contentPath(sha256))],
    ] as const) {
      await damage()
      const ran = await platen('restore', target)
      t.match(ran, { code: 1, stderr: how }, path)
      t.match(ran.stderr, `the backup is damaged: ${path} `)
    }
    await writeFile(contentPath(sha256), content)
  }
  for (const [wrong, stderr] of [
    ['{', 'is not the manifest of a backup of this version'],
    ['null', 'is not the manifest of a backup of this version'],
    ...[null, 1, {}, { size: 1, sha256: 'x' }, { ...list, parts: [null] }].map((wrong): [string, string] => [
      JSON.stringify({ ...JSON.parse(manifest), list: wrong }),
      'is not the manifest of a backup of this version',
    ]),
    [manifest.replace('platen-backup-1', 'platen-backup-2'), 'is not the manifest of a backup of this version'],
  ] as const) {
    await writeFile(join(target, 'backup.json'), wrong)
    t.match(await platen('restore', target), { code: 1, stderr })
    t.match(await platen('backup', target), { code: 1, stderr })
  }
  // A manipulated backup that would write elsewhere.
  const foreign = text.replace('objects/pdfs/a.pdf', 'objects/pdfs/../../a.pdf')
  const sha256 = createHash('sha256').update(foreign).digest('hex')
  await mkdir(join(target, 'files', sha256.slice(0, 2)), { recursive: true })
  await writeFile(contentPath(sha256), foreign)
  const forged = { ...JSON.parse(manifest), list: { size: foreign.length, sha256 } }
  await writeFile(join(target, 'backup.json'), JSON.stringify(forged))
  t.match(await platen('restore', target), { code: 1, stderr: /names the file objects\/pdfs\/\.\.\/\.\.\/a\.pdf/ })
  await rm(join(target, 'backup.json'))
  t.match(await platen('restore', target), { code: 1, stderr: 'it has no backup.json, which is written last' })

  const after = await readdir(dataDir, { recursive: true })
  t.strictSame(after.filter((name) => name !== 'lock.db').sort(), before, 'nothing is left, either')
  await writeFile(join(target, 'backup.json'), manifest)
  t.match(await platen('restore', target), { code: 0 })
})

t.test(
  'of two backups into one folder one is refused with the name of the other, and a killed one is not waited for',
  async (t) => {
    const { target, platen } = await backedUp(t)
    const both = await Promise.all([platen('backup', target), platen('backup', target)])
    t.strictSame(both.map(({ code }) => code).sort(), [0, 1])
    t.match(both.find(({ code }) => code === 1)?.stderr, /process \d+ \(.*\) uses the backup in .*; wait until/)
    t.match(await platen('restore', target), { code: 0 })

    const holder = await startHolder(
      t,
      'file-lock',
      `lockFile(${JSON.stringify(join(target, 'lock.db'))}, 'exclusive')`,
    )
    t.match(await platen('backup', target), { code: 1, stderr: `process ${holder.pid} ` })
    t.match(await platen('restore', target), { code: 1, stderr: `process ${holder.pid} ` })
    holder.kill('SIGKILL')
    await once(holder, 'exit')
    t.match(await platen('backup', target), { code: 0 })
  },
)

t.test('a restore is refused while any process has the event store open, and not when it was killed', async (t) => {
  const { dataDir, target, platen } = await backedUp(t)
  const open = `await openEventStore(${JSON.stringify(`sqlite:${dataDir}/events.db`)})`
  const holder = await startHolder(t, 'open-event-store', open)
  t.match(await platen('restore', target), { code: 1, stderr: `process ${holder.pid} ` })
  t.strictSame(
    (await readdir(dataDir)).filter((name) => name.startsWith('re')),
    [],
    'nothing was begun',
  )
  holder.kill('SIGKILL')
  await once(holder, 'exit')
  t.match(await platen('restore', target), { code: 0 })
})

t.test('what is mounted is refused before anything is changed', async (t) => {
  const disk = await openLoopDisk(16)
  if (typeof disk === 'string') return t.comment(`no loop disk: ${disk}`)
  t.teardown(() => disk[Symbol.asyncDispose]())
  const { dataDir, target, platen } = await backedUp(t)
  const store = { DATA_DIR: dataDir, OBJECT_STORE_URL: `file:${disk.folder}` }
  t.match(await runCli(store, ['restore', target]), { code: 0 }, 'the folder of the objects may be a mount')
  t.equal(await readFile(join(disk.folder, 'pdfs/a.pdf'), 'utf8'), 'first')
  t.match(await platen('events'), { stdout: 'template-a' })
  const above = { DATA_DIR: dataDir, OBJECT_STORE_URL: `file:${dirname(disk.folder)}` }
  t.match(await runCli(above, ['restore', target]), { code: 1, stderr: 'is a mount of its own, and would be renamed' })
  t.match(await platen('events'), { stdout: 'template-a' })
})

t.test('a backup that was reported survives a power cut', async (t) => {
  const disk = await openLoopDisk(16)
  if (typeof disk === 'string') return t.comment(`no loop disk: ${disk}`)
  t.teardown(() => disk[Symbol.asyncDispose]())
  const { dataDir, platen } = await backedUp(t)
  const target = join(disk.folder, 'backup')
  for (const secret of ['first', 'second']) {
    await writeFile(join(dataDir, 'signing-secret'), secret)
    t.match(await platen('backup', target), { code: 0 })
  }
  await disk.cutPower()
  await disk.restorePower()
  await writeFile(join(dataDir, 'signing-secret'), 'third')
  t.match(await platen('restore', target), { code: 0 })
  t.equal(await readFile(join(dataDir, 'signing-secret'), 'utf8'), 'second')
})

/** Another process that does something with a module of this repository and then waits to be killed. */
async function startHolder(t: Test, module: 'file-lock' | 'open-event-store', work: string) {
  const [url, name] =
    module === 'file-lock'
      ? [import.meta.resolve('@platen/foundation/runtime/file-lock.ts'), 'lockFile']
      : [import.meta.resolve('@platen/event-store/adapters/open-event-store.ts'), 'openEventStore']
  const source = `import { ${name} } from ${JSON.stringify(url)}; ${work}; console.log('held'); setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', source], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.teardown(() => child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  return child
}
