import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openLoopDisk } from '@platen/test-support/loop-disk.ts'
import t, { type Test } from 'tap'
import { badKeys, objectStoreSuite } from '../../object-store.suite.ts'
import { InvalidKey, type ObjectStore, ObjectStoreUnavailable } from '../../object-store.ts'
import { openFolder } from './store.ts'

let folders = 0
async function openStore(t: Test, root: string): Promise<ObjectStore> {
  const store = await openFolder(root)
  t.teardown(() => store.close())
  return store
}

const newRoot = (t: Test) => join(t.testdir(), `objects-${folders++}`)

t.test('the behaviour suite', async (t) => {
  const base = t.testdir()
  objectStoreSuite(t, () => openFolder(join(base, `store-${folders++}`, 'deep', 'er')))
})

t.test('an object is a plain file and no other file is left', async (t) => {
  const root = newRoot(t)
  const store = await openStore(t, root)
  await store.put('pdfs/a.pdf', Buffer.from('one'), 'application/pdf')
  await store.put('pdfs/a.pdf', Buffer.from('two'), 'application/pdf')
  await store.check()
  t.equal(await readFile(join(root, 'pdfs/a.pdf'), 'utf8'), 'two')
  t.same((await readdir(root, { recursive: true })).sort(), ['.tmp', 'pdfs', 'pdfs/a.pdf'])
  t.equal(await store.publicUrl('pdfs/a.pdf', { expiresInS: 60, contentDisposition: 'inline' }), undefined)
})

t.test('temporary files of a crash are removed after an hour', async (t) => {
  const root = newRoot(t)
  await openFolder(root)
  const [old, young] = [join(root, '.tmp/old'), join(root, '.tmp/young')]
  await writeFile(old, 'half')
  await writeFile(young, 'half')
  const twoHoursAgo = Date.now() / 1000 - 2 * 60 * 60
  await utimes(old, twoHoursAgo, twoHoursAgo)
  await openFolder(root)
  t.notOk(existsSync(old))
  t.ok(existsSync(young), 'another process may be writing it')
})

t.test('after a power failure what was written is there, and what was deleted is not', async (t) => {
  const disk = await openLoopDisk(16)
  if (typeof disk === 'string') return t.comment(`no loop disk: ${disk}`)
  t.teardown(() => disk[Symbol.asyncDispose]())
  const store = await openFolder(disk.folder)
  for (const key of ['pdfs/kept', 'pdfs/erased']) await store.put(key, Buffer.from('x'), 'application/pdf')
  await store.delete('pdfs/erased')
  await disk.cutPower()
  await store.close()
  await disk.restorePower()
  t.same(await readdir(join(disk.folder, 'pdfs')), ['kept'])
})

t.test('a failed put leaves the old object and no temporary file', async (t) => {
  const root = newRoot(t)
  const store = await openStore(t, root)
  await mkdir(join(root, 'pdfs/taken'), { recursive: true })
  await t.rejects(store.put('pdfs/taken', Buffer.from('x'), 'application/pdf'), ObjectStoreUnavailable)
  t.same(await readdir(join(root, '.tmp')), [])
  t.equal(await store.info('pdfs/taken'), undefined, 'a folder is not an object')
})

t.test('a removed category folder fails one put and is then created again', async (t) => {
  const root = newRoot(t)
  const store = await openStore(t, root)
  await store.put('pdfs/a', Buffer.from('x'), 'application/pdf')
  await rm(join(root, 'pdfs'), { recursive: true })
  await t.rejects(store.put('pdfs/a', Buffer.from('x'), 'application/pdf'), ObjectStoreUnavailable)
  await store.put('pdfs/a', Buffer.from('x'), 'application/pdf')
  t.ok(await store.info('pdfs/a'))
})

t.test('a missing or invalid folder is unavailable, and the error contains no path', async (t) => {
  const root = newRoot(t)
  const store = await openStore(t, root)
  await rm(root, { recursive: true })
  const refused = { name: 'ObjectStoreUnavailable', message: 'The object folder cannot be written to (ENOENT)' }
  await t.rejects(store.check(), refused)
  await t.rejects(store.put('pdfs/a', Buffer.from('x'), 'application/pdf'), ObjectStoreUnavailable)
  const uses: (() => Promise<unknown>)[] = [
    () => store.get('pdfs/a'),
    () => store.info('pdfs/a'),
    () => store.delete('pdfs/a'),
    () => store.list('pdfs')[Symbol.asyncIterator]().next(),
  ]
  for (const use of uses)
    await t.rejects(async () => void (await use()), ObjectStoreUnavailable, 'no object is known to be missing')
  await writeFile(root, 'a file')
  await t.rejects(openFolder(root), { message: 'OBJECT_STORE_URL: the folder cannot be opened (EEXIST)' })
  await t.rejects(openFolder(join(root, 'below')), {
    message: 'OBJECT_STORE_URL: the folder cannot be opened (ENOTDIR)',
  })
})

t.test(
  'a folder without write permission is refused',
  { skip: process.getuid?.() === 0 && 'root may write everywhere' },
  async (t) => {
    const root = newRoot(t)
    await mkdir(root, { mode: 0o500 })
    await t.rejects(openFolder(root), { message: 'OBJECT_STORE_URL: the folder cannot be opened (EACCES)' })
  },
)

t.test('no key leads outside the folder', async (t) => {
  const root = newRoot(t)
  const store = await openStore(t, root)
  const secret = join(root, '..', 'secret')
  await writeFile(secret, 'secret')
  const { mtimeMs } = await stat(secret)
  for (const key of [...badKeys, '../secret', 'pdfs/../secret', 'pdfs/..%2fsecret', secret, '.tmp/x']) {
    await t.rejects(store.get(key), InvalidKey, JSON.stringify(key))
    await t.rejects(store.put(key, Buffer.from('overwritten'), 'application/pdf'), InvalidKey)
    await t.rejects(store.delete(key), InvalidKey)
  }
  t.equal((await stat(secret)).mtimeMs, mtimeMs)
  t.same(await readdir(root), ['.tmp'])
})

t.test('readers close their files', { skip: !existsSync('/proc/self/fd') && 'needs /proc' }, async (t) => {
  const store = await openStore(t, newRoot(t))
  await store.put('pdfs/a', Buffer.alloc(1_000_000), 'application/pdf')
  const before = (await readdir('/proc/self/fd')).length
  for (let at = 0; at < 50; at++) {
    const reader = await store.get('pdfs/a')
    await new Promise((resolve) => reader.destroy().once('close', resolve))
    await t.rejects(store.get('pdfs/a', { start: 5, end: 4 }), RangeError)
  }
  t.ok((await readdir('/proc/self/fd')).length <= before + 5)
})
