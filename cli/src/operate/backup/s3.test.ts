import { spawn } from 'node:child_process'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openEventStore } from '@platen/event-store/adapters/open-event-store.ts'
import { lockFile } from '@platen/foundation/runtime/file-lock.ts'
import { openS3Folder } from '@platen/object-store/adapters/open-object-store.ts'
import { type FakeS3, startFakeS3 } from '@platen/test-support/fake-s3/start-fake-s3.ts'
import t, { type Test } from 'tap'
import { jsonLines, runCli } from '../../testing/run-cli.ts'
import { S3Lock } from './s3-lock.ts'

/**
 * On the fake server, and on a real one if S3_TEST_URL is set, with S3_TEST_ACCESS_KEY and S3_TEST_SECRET_KEY: see
 * shared/object-store/src/adapters/s3/store.test.ts.
 */
const { S3_TEST_URL: realUrl, S3_TEST_ACCESS_KEY = '', S3_TEST_SECRET_KEY = '' } = process.env

t.setTimeout(300_000)

const main = fileURLToPath(new URL('../../main.ts', import.meta.url))

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

interface Bucket {
  url: string
  keys: { OBJECT_STORE_ACCESS_KEY: string; OBJECT_STORE_SECRET_KEY: string }
}

async function fakeBucket(t: Test) {
  const server = await startFakeS3()
  t.teardown(() => server.stop())
  const { accessKey, secretKey } = server
  return {
    server,
    url: server.url('backups').replace('/backups', '/backups/of/platen'),
    keys: keysOf(accessKey, secretKey),
  }
}

const keysOf = (accessKey: string, secretKey: string) => ({
  OBJECT_STORE_ACCESS_KEY: accessKey,
  OBJECT_STORE_SECRET_KEY: secretKey,
})

async function deployment(t: Test, { url, keys }: Bucket) {
  const folder = t.testdir({
    data: { objects: { pdfs: { 'a.pdf': 'first', 'b.pdf': 'second' } }, 'signing-secret': 's1' },
  })
  const dataDir = join(folder, 'data')
  const store = await openEventStore(`sqlite:${dataDir}/events.db`)
  const append = (html: string) =>
    store.append(`template-${randomUUID()}`, [{ id: randomUUID(), type: 'TemplateCreated', data: { html } }], 'none')
  await append('one')
  const run = (...args: string[]) => runCli({ DATA_DIR: dataDir, ...keys }, args)
  return { folder, dataDir, store, append, run, url }
}

async function wholeWay(t: Test, bucket: Bucket): Promise<void> {
  const { folder, dataDir, store, append, run, url } = await deployment(t, bucket)
  // Larger than a part, and different each time.
  for (let n = 0; n < 20; n++) await append(randomBytes(450_000).toString('hex'))
  const made = JSON.parse((await run('backup', '--to', url, '--json')).stdout)
  t.match(made, { events: 21, objects: 2, copied: 2, folder: /^s3:\/\/[^?]*\/of\/platen/ })
  t.match(await run('backup', 'verify', url), { code: 0, stdout: 'It is whole' })
  const before = (await readdir(tmpdir())).filter((name) => name.startsWith('platen-backup-'))

  await append('later')
  await writeFile(join(dataDir, 'objects/pdfs/c.pdf'), 'third')
  await rm(join(dataDir, 'objects/pdfs/b.pdf'))
  t.match(JSON.parse((await run('backup', url, '--json')).stdout), { events: 22, objects: 2, copied: 1 })
  const [verified] = jsonLines(await run('backup', 'verify', url, '--json'))
  t.match(verified, { whole: true, events: 22, object_bytes: 10 })

  const fresh = { DATA_DIR: join(folder, 'fresh'), ...bucket.keys }
  t.match(await runCli(fresh, ['restore', url, '--dry-run']), { code: 0, stdout: 'a restore would succeed' })
  t.match(await runCli(fresh, ['restore', url]), { code: 0, stdout: '22 events until' })
  t.equal(await readFile(join(folder, 'fresh/objects/pdfs/c.pdf'), 'utf8'), 'third')
  t.same(await readdir(join(folder, 'fresh/objects/pdfs')), ['a.pdf', 'c.pdf'])
  t.equal(await readFile(join(folder, 'fresh/signing-secret'), 'utf8'), 's1')
  const events = async (env: Record<string, string>) => (await runCli(env, ['events'])).stdout
  t.ok((await events(fresh)) === (await events({ DATA_DIR: dataDir })), 'the same log')
  await store.close()
  const after = (await readdir(tmpdir())).filter((name) => name.startsWith('platen-backup-'))
  t.same(after, before, 'nothing is left on this machine')
}

t.test('a backup in a bucket: incremental, verified, restored', async (t) => {
  const { server, ...bucket } = await fakeBucket(t)
  await wholeWay(t, bucket)
  const keys = [...server.buckets.find('backups').objects.keys()]
  t.ok(
    keys.every((key) => /^of\/platen\/((manifest|lock)\/backup\.json|files\/([0-9a-f]{64}|\.probe))$/.test(key)),
    keys.join(),
  )
  t.notOk(keys.includes(`of/platen/files/${sha256('second')}`), 'what is not named any more is removed')
  const uploads = server.requests.filter((one) => one === `PUT /backups/of/platen/files/${sha256('first')}`)
  t.equal(uploads.length, 1, 'what is there is not sent again')
})

t.test('what only reads a bucket writes nothing into it, and makes none', async (t) => {
  const { server, url, ...bucket } = await fakeBucket(t)
  const { run, store } = await deployment(t, { url, ...bucket })
  t.match(await run('backup', '--to', url, '--dry-run'), { code: 0, stdout: '2 files (11 bytes) would be copied' })
  t.match(await run('backup', 'verify', url), { code: 1, stderr: 'there is no whole backup in s3://' })
  t.match(await run('restore', url, '--dry-run'), { code: 1, stderr: 'there is no whole backup in s3://' })
  t.notOk(server.buckets.has('backups'))
  t.match(await run('backup', '--to', url), { code: 0 })
  // Keys that may read only.
  server.denied.add('s3:PutObject')
  const before = server.requests.length
  // A restore needs it closed.
  await store.close()
  t.match(await run('backup', '--to', url, '--dry-run'), { code: 0, stdout: '0 files (0 bytes) would be copied' })
  t.match(await run('backup', 'verify', url), { code: 0, stdout: 'It is whole' })
  t.match(await run('restore', url, '--dry-run'), { code: 0 })
  t.notOk(server.requests.slice(before).some((request) => !/^(GET|HEAD) /.test(request)))
  const { code, stderr } = await runCli({ OBJECT_STORE_ACCESS_KEY: 'nobody', OBJECT_STORE_SECRET_KEY: 'none' }, [
    ...['backup', 'verify', url],
  ])
  t.match({ code, stderr }, { code: 1, stderr: 'OBJECT_STORE_ACCESS_KEY does not exist' })
})

t.test('a URL of another kind is no folder of this machine', async (t) => {
  const { run, store } = await deployment(t, await fakeBucket(t))
  await store.close()
  const before = await readdir(process.cwd())
  for (const url of ['S3://access:secret@host/bucket', 'https://access:secret@host/bucket']) {
    const { code, stdout, stderr } = await run('backup', '--to', url)
    t.match({ code, stderr }, { code: 2, stderr: 'begins with s3://' })
    t.notMatch(stdout + stderr, 'secret')
  }
  t.same(await readdir(process.cwd()), before)
})

t.test('what somebody else has in the bucket stays there', async (t) => {
  const bucket = await fakeBucket(t)
  const { run, store, url } = await deployment(t, bucket)
  const others = await openS3Folder(url, { accessKey: bucket.server.accessKey, secretKey: bucket.server.secretKey })
  await others.put('files/letter.txt', Buffer.from('x'), 'text/plain')
  t.match(await run('backup', '--to', url), { code: 0 })
  t.match(await others.info('files/letter.txt'), { size: 1 })
  await others.close()
  await store.close()
})

t.test('the same on the server of S3_TEST_URL', { skip: !realUrl && 'S3_TEST_URL is not set' }, async (t) => {
  const url = `${realUrl}`.replace(/(\?|$)/, `/backup-${randomUUID()}/of/platen$1`)
  const bucket = { url, keys: keysOf(S3_TEST_ACCESS_KEY, S3_TEST_SECRET_KEY) }
  t.teardown(async () => {
    const store = await openS3Folder(url, { accessKey: S3_TEST_ACCESS_KEY, secretKey: S3_TEST_SECRET_KEY })
    for (const category of ['files', 'manifest', 'lock'])
      for await (const { key } of store.list(category)) await store.delete(key)
    await store.close()
  })
  await wholeWay(t, bucket)
})

/** Runs a command in a process that is killed when its write of this number, from 1, arrives. Resolves with whether it was. */
async function killedAtWrite(
  server: FakeS3,
  last: number,
  { args, env }: { args: string[]; env: Record<string, string> },
) {
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env
  const child = spawn(process.execPath, [main, ...args], { env: { PATH, NODE_COMPILE_CACHE, ...env }, stdio: 'ignore' })
  const exited = once(child, 'exit')
  let writes = 0
  const { requests } = server
  requests.push = (...lines) => {
    writes += lines.filter((line) => /^(PUT|DELETE) /.test(line)).length
    if (writes >= last) child.kill('SIGKILL')
    return Array.prototype.push.apply(requests, lines)
  }
  await exited
  requests.push = Array.prototype.push
  return child.signalCode === 'SIGKILL'
}

t.test(
  'a backup whose process is killed at any write is none, or the one before, and the next one completes it',
  async (t) => {
    const { server, ...bucket } = await fakeBucket(t)
    const { append, run, dataDir, store, folder } = await deployment(t, bucket)
    const seen = { none: 0, first: 0, second: 0 }
    for (const round of ['none', 'first']) {
      for (let last = 1; ; last++) {
        const url = bucket.url.replace('/of/', `/of-${round}-${last}/`)
        if (round === 'first') t.match(await run('backup', url), { code: 0 })
        await writeFile(join(dataDir, 'objects/pdfs/new.pdf'), `${round} ${last}`)
        await append(`${round} ${last}`)
        const events = (await run('events')).stdout.trim().split('\n').length
        const env = { DATA_DIR: dataDir, TMPDIR: folder, ...bucket.keys }
        const isKilled = await killedAtWrite(server, last, { args: ['backup', url], env })
        const verified = await run('backup', 'verify', url, '--json')
        const what = `${round}, write ${last}`
        if (verified.code === 0) seen[jsonLines(verified)[0].events === events ? 'second' : 'first'] += 1
        else {
          t.match(verified.stderr, 'there is no whole backup in', what)
          t.equal(round, 'none', what)
          seen.none += 1
        }
        t.match(await run('backup', url), { code: 0 }, what)
        t.match(await run('backup', 'verify', url), { code: 0, stdout: `${events} events` }, what)
        if (!isKilled) break
      }
    }
    t.ok(seen.none > 3 && seen.first > 3 && seen.second > 1, JSON.stringify(seen))
    await store.close()
  },
)

t.test('what is damaged or missing in the bucket is found, and refused by a restore', async (t) => {
  const { server, ...bucket } = await fakeBucket(t)
  const { append, run, url, folder, store } = await deployment(t, bucket)
  for (let n = 0; n < 20; n++) await append(randomBytes(450_000).toString('hex'))
  await store.close()
  await run('backup', url)
  const { objects } = server.buckets.find('backups')
  const restore = () => runCli({ DATA_DIR: join(folder, 'fresh'), ...bucket.keys }, ['restore', url])
  const first = `of/platen/files/${sha256('first')}`
  const whole = [...objects].find(([, { body }]) => body.length === 16 * 2 ** 20)
  t.ok(whole, 'the event store has a part of its own')
  for (const [key, path] of [
    [first, 'objects/pdfs/a.pdf'],
    [whole?.[0] ?? '', 'events.db'],
  ] as const) {
    const object = objects.get(key)
    if (object === undefined) throw new Error(`there is no ${key}`)
    const body = Buffer.from(object.body)
    body[0] = (body[0] ?? 0) ^ 1
    objects.set(key, { ...object, body })
    t.match(await run('backup', 'verify', url), { code: 1, stdout: `damaged: ${path} has` })
    t.match(await restore(), { code: 1, stderr: `the backup is damaged: ${path} has` })
    objects.delete(key)
    t.match(await run('backup', 'verify', url), { code: 1, stdout: `damaged: ${path} is missing` })
    t.match(await restore(), { code: 1, stderr: `the backup is damaged: ${path} is missing` })
    objects.set(key, object)
  }
  t.match(await restore(), { code: 0 })
})

t.test(
  'while a backup is written from another machine, a backup, verify and restore are refused by name',
  async (t) => {
    const { server, ...bucket } = await fakeBucket(t)
    const { run, url, folder, store } = await deployment(t, bucket)
    await store.close()
    t.match(await run('backup', url), { code: 0 })
    const { accessKey, secretKey } = server
    const others = await openS3Folder(url, { accessKey, secretKey })
    const options = { store: others, name: url, lockPath: undefined, note: () => {}, renewEveryMs: 500 }
    const other = new S3Lock(options)
    await other.take()
    const args = [
      ['backup', url],
      ['backup', 'verify', url],
      ['restore', url],
      ['restore', url, '--dry-run'],
      ['backup', 'drill', url],
    ]
    for (const refused of args) {
      const { code, stderr } = await runCli({ DATA_DIR: join(folder, 'data'), ...bucket.keys }, refused)
      t.equal(code, 1, refused.join(' '))
      t.match(stderr, /a backup is being written to s3:.*, by process \d+ of host .*; wait until it has ended/)
    }
    await other.release()
    t.match(await run('backup', 'verify', url), { code: 0 })
    t.match(await run('backup', url), { code: 0 })
    await others.close()
  },
)

t.test('a backup that takes the place of the one that is read is named, instead of missing parts', async (t) => {
  const { server, ...bucket } = await fakeBucket(t)
  const { append, run, url, dataDir, store } = await deployment(t, bucket)
  t.match(await run('backup', url), { code: 0 })
  const env = { DATA_DIR: dataDir, ...bucket.keys }
  const files = server.buckets.find('backups').objects
  /** The next backup is whole when the first file is read. */
  const replacing = async (...args: string[]) => {
    await append('later')
    await rm(join(dataDir, 'objects/pdfs/b.pdf'), { force: true })
    const key = `of/platen/files/${sha256('first')}`
    const { requests } = server
    let next: Promise<unknown> | undefined
    requests.push = (...lines) => {
      if (next === undefined && lines.some((line) => line.startsWith('GET /backups/of/platen/manifest'))) {
        requests.push = Array.prototype.push
        next = runCli(env, ['backup', url])
        server.held.set(key, next)
      }
      return Array.prototype.push.apply(requests, lines)
    }
    const found = await run(...args)
    requests.push = Array.prototype.push
    await next
    return found
  }
  t.match(await replacing('backup', 'verify', url), { code: 1, stderr: 'a new backup was written to s3://' })
  t.ok(files.size > 0)
  await store.close()
})

t.test('the copy of the event store of a killed backup is removed by the next one', async (t) => {
  const { server, ...bucket } = await fakeBucket(t)
  const { url, folder, dataDir, store } = await deployment(t, bucket)
  await store.close()
  const TMPDIR = join(folder, 'temporary')
  await mkdir(TMPDIR)
  const env = { DATA_DIR: dataDir, TMPDIR, ...bucket.keys }
  t.ok(await killedAtWrite(server, 6, { args: ['backup', url], env }))
  const [left = '', ...others] = await readdir(TMPDIR)
  t.match(left, /^platen-backup-/)
  t.same(others, [])
  await writeFile(join(TMPDIR, 'platen-backup-notes.txt'), 'of somebody else')
  t.notOk(await killedAtWrite(server, Number.POSITIVE_INFINITY, { args: ['backup', url], env }))
  t.same(await readdir(TMPDIR), ['platen-backup-notes.txt'])
})

t.test('wrong keys, another deployment and another backup at the same time are refused by name', async (t) => {
  const { server, ...bucket } = await fakeBucket(t)
  const { run, url, dataDir, folder, store } = await deployment(t, bucket)
  await store.close()
  const keys = { OBJECT_STORE_ACCESS_KEY: 'x', OBJECT_STORE_SECRET_KEY: 'y' }
  const refused = await runCli({ DATA_DIR: dataDir, ...keys }, ['backup', '--to', url])
  t.match(refused, { code: 1, stderr: 'The bucket backups of the URL of the backup cannot be used' })
  t.match(await run('backup'), { code: 2, stderr: 'expected a folder, or --to' })
  t.match(await run('backup', 'here', '--to', url), { code: 2 })
  t.match(await run('backup', 'verify', url), { code: 1, stderr: 'there is no whole backup in s3://127.0.0.1:' })
  {
    using _other = lockFile(join(dataDir, 'backup.lock'), 'exclusive')
    t.match(await run('backup', url), { code: 1, stderr: /process \d+ .*writes a backup to an S3/ })
  }
  t.match(await run('backup', url), { code: 0 })
  const other = join(folder, 'other')
  await (await openEventStore(`sqlite:${other}/events.db`)).close()
  t.match(await runCli({ DATA_DIR: other, ...bucket.keys }, ['backup', url]), {
    code: 1,
    stderr: 'has a backup of another event store; use another folder',
  })
  t.match(await run('backup', 'verify', url), { code: 0 })
  server.denied.add('s3:DeleteObject')
  t.match(await run('backup', url), { code: 0 })
  await rm(join(dataDir, 'objects/pdfs/a.pdf'))
  t.match(await run('backup', url), { code: 0, stderr: 'what it does not need any more could not be removed' })
  t.match(await run('backup', 'verify', url), { code: 0 })
})
