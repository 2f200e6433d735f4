import { createHash, randomUUID } from 'node:crypto'
import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { objectKeys } from '@platen/domain/streams/subjects.ts'
import { openEventStore } from '@platen/event-store/adapters/open-event-store.ts'
import { newId } from '@platen/foundation/runtime/ids.ts'
import t, { type Test } from 'tap'
import { jsonLines, runCli } from '../../testing/run-cli.ts'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const contentPath = (backup: string, hash: string) => join(backup, 'files', hash.slice(0, 2), hash)

/** Documents with their events, an asset, and a backup of them. */
async function deployment(t: Test) {
  const folder = t.testdir({ data: { objects: { pdfs: {}, inputs: {}, assets: {} }, 'signing-secret': 's1' } })
  const [dataDir, backup] = [join(folder, 'data'), join(folder, 'backup')]
  const store = await openEventStore(`sqlite:${dataDir}/events.db`)
  const event = (type: string, data: object) => ({ id: randomUUID(), type, data: { ...data } })
  const put = async (key: string, text: string) => writeFile(join(dataDir, 'objects', key), text)
  const keys: string[] = []
  for (const text of ['first', 'second', 'third', 'fourth']) {
    const id = newId('pdf')
    const object_key = objectKeys.pdf(id, sha256(text).slice(0, 16))
    await put(object_key, text)
    const input_key = objectKeys.input(id, '0123456789abcdef')
    await put(input_key, `input of ${text}`)
    await store.append(
      `generation-${id}`,
      [
        event('GenerationRequested', { owner_id: 'own_default', api_key_id: 'key_1', input_key }),
        event('GenerationCompleted', { object_key, size: text.length, sha256: sha256(text), pages: 1 }),
      ],
      'none',
    )
    keys.push(object_key)
  }
  const object = '0123456789abcdef'
  const asset = objectKeys.asset('own_default', sha256('logo'), object)
  await put(asset, 'logo')
  const stored = { name: 'a.svg', version: 1, created_at: '2026-01-31T12:00:00.000Z', type: 'image/svg+xml', object }
  await store.append(
    'asset-own_default',
    [
      event('AssetStored', { ...stored, bytes: 4, sha256: sha256('logo') }),
      // An object that was given up before anybody used it.
      event('AssetStored', { ...stored, bytes: 4, sha256: sha256('gone'), object: 'fedcba9876543210' }),
    ],
    'none',
  )
  const givenUp = event('AssetContentGivenUp', { object: 'fedcba9876543210' })
  await store.append(`assetcontent-own_default.${sha256('gone')}`, [givenUp], 'none')
  const [first = '', second = '', third = '', fourth = ''] = keys
  const platen = (...args: string[]) => runCli({ DATA_DIR: dataDir }, args)
  return { folder, dataDir, backup, store, platen, asset, keys: { first, second, third, fourth } }
}

t.test('a backup of all that events name is whole', async (t) => {
  const { platen, backup, dataDir, store } = await deployment(t)
  t.match(await platen('backup', backup), { code: 0, stdout: /10 events|11 events/ })
  t.match(await platen('backup', 'verify', backup), { code: 0, stdout: 'It is whole' })
  const [summary, ...more] = jsonLines(await platen('backup', 'verify', backup, '--json'))
  t.same(more, [])
  const manifest = JSON.parse(await readFile(join(backup, 'backup.json'), 'utf8'))
  t.match(summary, { whole: true, events: 11, objects: 9, damaged: 0, absent: 0, expired: 0, erased: 0 })
  t.match(manifest, { event_store: await store.identity(), last_position: await store.end(), platen_version: /^\d/ })
  t.match(await platen('backup', 'verify', dataDir), { code: 1, stderr: 'there is no whole backup in' })
  t.match(await platen('backup', 'verify', join(dataDir, 'none')), { code: 1, stderr: 'there is no whole backup in' })
  t.match(await platen('backup', 'verify'), { code: 2 })
  await store.close()
})

t.test('each damaged file is named, also if several are', async (t) => {
  const { platen, backup, keys, asset, store } = await deployment(t)
  await store.close()
  await platen('backup', backup)
  await rm(contentPath(backup, sha256('first')))
  await writeFile(contentPath(backup, sha256('second')), 'Second')
  await writeFile(contentPath(backup, sha256('logo')), '')
  const { code, stdout } = await platen('backup', 'verify', backup)
  t.equal(code, 1)
  t.match(
    stdout,
    `damaged: objects/${keys.first} is missing; the manifest says 5 bytes and the SHA-256 ${sha256('first')}`,
  )
  t.match(stdout, `damaged: objects/${keys.second} has 6 bytes and the SHA-256 ${sha256('Second')}`)
  t.match(stdout, `damaged: objects/${asset} has 0 bytes`)
  t.match(stdout, 'It is NOT good')
  t.equal(stdout.trim().split('\n').length, 4)
  t.match(jsonLines(await platen('backup', 'verify', backup, '--json')).at(-1), { whole: false, damaged: 3 })
})

t.test('numbers, or an event store, that are not those of the manifest are damage', async (t) => {
  const { platen, backup, store } = await deployment(t)
  await store.close()
  await platen('backup', backup)
  const path = join(backup, 'backup.json')
  const manifest = await readFile(path, 'utf8')
  for (const [wrong, problem] of [
    [{ events: 12 }, 'events.db has 11 events; the manifest says 12'],
    [{ objects: 8 }, 'the list of files it lists 9 files'],
    [{ object_bytes: 1 }, 'the manifest says 9 of 1'],
    [{ last_position: 'x' }, 'events.db ends at another position'],
    [{ event_store: 'x' }, 'events.db is another event store'],
  ] as const) {
    await writeFile(path, JSON.stringify({ ...JSON.parse(manifest), ...wrong }))
    t.match(await platen('backup', 'verify', backup), { code: 1, stdout: problem })
  }
})

t.test('a file that an event names and the backup lacks is named, with the reason if there is one', async (t) => {
  const { platen, backup, dataDir, folder, keys, store } = await deployment(t)
  const by = { erased_by: 'root', erased_at: '2026-01-31T12:00:00.000Z', objects: 1, dead_letters: 0 }
  const stream = `generation-${keys.fourth.slice('pdfs/'.length, 'pdfs/'.length + 30)}`
  await store.append(stream, [{ id: randomUUID(), type: 'ContentErased', data: by }], 'any')
  await store.close()
  const object = (key: string) => join(dataDir, 'objects', key)
  await rm(object(keys.first))
  await rm(object(keys.second))
  await rm(object(keys.fourth))
  await writeFile(object(keys.third), 'Third')
  await platen('backup', backup)
  const receipt = join(folder, 'receipt.json')
  const erased = { dry_run: false, generations: [{ objects: [{ key: keys.second, size: 6 }] }] }
  await writeFile(receipt, JSON.stringify(erased))
  const verified = await platen('backup', 'verify', backup, '--receipt', receipt)
  t.equal(verified.code, 1)
  t.match(verified.stdout, `absent: objects/${keys.first} of pdf_`)
  t.match(verified.stdout, `erased: objects/${keys.second} of pdf_`)
  t.match(verified.stdout, `erased: objects/${keys.fourth} of pdf_`)
  t.match(verified.stdout, `differs: objects/${keys.third} of pdf_`)
  t.match(jsonLines(await platen('backup', 'verify', backup, '--json', '--receipt', receipt)).at(-1), {
    damaged: 0,
    differs: 1,
    absent: 1,
    erased: 3,
    expired: 0,
    whole: false,
  })
  await writeFile(receipt, JSON.stringify({ ...erased, dry_run: true }))
  t.match(await platen('backup', 'verify', backup, '--receipt', receipt), { code: 1, stderr: 'is not a receipt' })

  // Makes the documents forty days older than the backup.
  const path = join(backup, 'backup.json')
  const manifest = JSON.parse(await readFile(path, 'utf8'))
  const created_at = new Date(Date.parse(manifest.created_at) + 40 * 86_400_000).toISOString()
  await writeFile(path, JSON.stringify({ ...manifest, created_at }))
  const thirty = await runCli({ DATA_DIR: dataDir, PDF_RETENTION_DAYS: '30' }, ['backup', 'verify', backup])
  t.match(thirty.stdout, `expired: objects/${keys.first} of pdf_`)
  t.notMatch(thirty.stdout, 'absent')
})

t.test('a backup without the items of a batch that has not ended is not whole, however old the batch is', async (t) => {
  const { platen, backup, dataDir, store } = await deployment(t)
  const event = (type: string, data: object) => ({ id: randomUUID(), type, data: { ...data } })
  const [running, ended] = [newId('bat'), newId('bat')]
  const created = (name: string) =>
    event('BatchCreated', { owner_id: 'own_default', api_key_id: 'key_1', total: 1, input: { name, parts: 2 } })
  await store.append(`batch-${running}`, [created(running)], 'none')
  const end = event('BatchEnded', { status: 'completed', completed: 1, failed: 0, cancelled: 0 })
  await store.append(`batch-${ended}`, [created(ended), end], 'none')
  await store.close()
  await writeFile(join(dataDir, 'objects', objectKeys.batchInput(running, 0)), '{}')
  await platen('backup', backup)
  const path = join(backup, 'backup.json')
  const manifest = JSON.parse(await readFile(path, 'utf8'))
  const created_at = new Date(Date.parse(manifest.created_at) + 40 * 86_400_000).toISOString()
  await writeFile(path, JSON.stringify({ ...manifest, created_at }))
  const { code, stdout } = await platen('backup', 'verify', backup)
  t.equal(code, 1)
  t.match(stdout, `absent: objects/${objectKeys.batchInput(running, 1)} of ${running}`)
  t.notMatch(stdout, objectKeys.batchInput(running, 0))
  t.notMatch(stdout, ended, 'nothing needs them')
})

t.test('a backup on a medium that cannot be written is verified', async (t) => {
  const { platen, backup, store } = await deployment(t)
  await store.close()
  await platen('backup', backup)
  const before = (await readdir(backup, { recursive: true })).sort()
  const folders: string[] = []
  for (const name of before) {
    const path = join(backup, name)
    const isFolder = (await stat(path)).isDirectory()
    if (isFolder) folders.push(path)
    await chmod(path, isFolder ? 0o500 : 0o400)
  }
  // Only root may remove what is in a folder that cannot be written.
  t.teardown(() => Promise.all(folders.map((path) => chmod(path, 0o700))))
  t.match(await platen('backup', 'verify', backup), { code: 0 })
  t.strictSame((await readdir(backup, { recursive: true })).sort(), before, 'nothing is written')
})

t.test('a restore --dry-run reads the backup, says what would be replaced, and changes nothing', async (t) => {
  const { platen, backup, dataDir, folder, keys, store } = await deployment(t)
  await writeFile(join(dataDir, 'nats.conf'), 'passwords')
  await platen('backup', backup)
  const open = await platen('restore', '--dry-run', backup)
  t.match(open, { code: 1, stdout: /problem: process \d+ .* has the event store/ })
  await store.close()
  await mkdir(join(dataDir, 'gateway'))
  const before = (await readdir(dataDir, { recursive: true })).sort()
  const tried = await platen('restore', '--dry-run', backup)
  t.match(tried, { code: 0, stdout: 'nothing was changed; a restore would succeed' })
  for (const path of ['events.db', 'objects/pdfs', 'signing-secret', 'gateway'])
    t.match(tried.stdout, `${join(dataDir, path)} would be moved`)
  t.notMatch(tried.stdout, 'nats.conf would', 'it is kept')
  t.match(JSON.parse((await platen('restore', '--dry-run', '--json', backup)).stdout), {
    dry_run: true,
    would_succeed: true,
    problems: [],
    damaged: 0,
    events: 11,
  })
  t.strictSame((await readdir(dataDir, { recursive: true })).sort(), before)
  const fresh = join(folder, 'fresh')
  t.match(await runCli({ DATA_DIR: fresh }, ['restore', '--dry-run', backup]), { code: 0 })
  await t.rejects(stat(fresh), { code: 'ENOENT' })

  await writeFile(contentPath(backup, sha256('first')), 'First')
  t.match(await platen('restore', '--dry-run', backup), { code: 1, stdout: `damaged: objects/${keys.first}` })
  t.match(await platen('restore', backup, '--receipt', 'x'), { code: 2, stderr: '--receipt needs --dry-run' })
})
