import { createHash, randomUUID } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openEventStore } from '@platen/event-store/adapters/open-event-store.ts'
import { inFileSteps } from '@platen/test-support/file-steps.ts'
import t, { type Test } from 'tap'
import { type Ran, runCli } from '../../testing/run-cli.ts'

t.setTimeout(600_000)

/** A folder on another file system than that of the tests, if this machine has one. */
const otherFileSystem = '/dev/shm'
const hasOther = existsSync(otherFileSystem) && statSync(otherFileSystem).dev !== statSync(import.meta.dirname).dev

interface Data {
  /** Everything is below these folders. */
  roots: string[]
  env: Record<string, string>
  eventsPath: string
  objectsPath: string
  dataDir: string
}

/** A folder in memory, because the tests flush thousands of files. */
async function newRoot(t: Test): Promise<string> {
  if (!hasOther) return t.testdir()
  const root = await mkdtemp(join(otherFileSystem, 'platen-'))
  t.teardown(() => rm(root, { recursive: true }))
  return root
}

/** All data in DATA_DIR, as `npm start` has them. */
function inOneFolder(root: string): Data {
  const dataDir = join(root, 'data')
  const paths = { dataDir, eventsPath: join(dataDir, 'events.db'), objectsPath: join(dataDir, 'objects') }
  return { roots: [root], env: { DATA_DIR: dataDir }, ...paths }
}

/** Three folders, on two file systems. */
function onTwoFileSystems(root: string, otherRoot: string): Data {
  const paths = {
    dataDir: join(root, 'data'),
    eventsPath: join(otherRoot, 'events/events.db'),
    objectsPath: join(root, 'objects'),
  }
  const urls = { EVENT_STORE_URL: `sqlite:${paths.eventsPath}`, OBJECT_STORE_URL: `file:${paths.objectsPath}` }
  return { roots: [root, otherRoot], env: { DATA_DIR: paths.dataDir, ...urls }, ...paths }
}

async function append(data: Data, stream: string): Promise<void> {
  const store = await openEventStore(`sqlite:${data.eventsPath}`)
  await store.append(stream, [{ id: randomUUID(), type: 'TemplateDeleted', data: {} }], 'none')
  await store.close()
}

async function fillFirst(data: Data): Promise<void> {
  await mkdir(join(data.objectsPath, 'pdfs'), { recursive: true })
  await mkdir(join(data.objectsPath, 'platen'))
  await mkdir(data.dataDir, { recursive: true })
  await append(data, 'template-a')
  await writeFile(join(data.objectsPath, 'pdfs/a.pdf'), 'first')
  await writeFile(join(data.objectsPath, 'platen/deployment'), 'one')
  await writeFile(join(data.dataDir, 'signing-secret'), 'first')
}

/** Changes the data after the first backup. */
async function fillSecond(data: Data): Promise<void> {
  await append(data, 'template-b')
  await mkdir(join(data.objectsPath, 'assets'))
  await writeFile(join(data.objectsPath, 'assets/logo'), 'second')
  await writeFile(join(data.objectsPath, 'pdfs/b.pdf'), 'second')
  // The new content has the same size.
  await writeFile(join(data.objectsPath, 'platen/deployment'), 'two')
  await writeFile(join(data.dataDir, 'signing-secret'), 'other')
  await mkdir(join(data.dataDir, 'gateway'))
  await writeFile(join(data.dataDir, 'gateway/views.db'), 'views')
}

/** Files and folders with their content. What differs between equal runs, the times, is left out. */
async function treeOf(...roots: string[]): Promise<string[]> {
  const lines: string[] = []
  for (const [at, root] of roots.entries()) {
    for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name)
      const name = path.slice(root.length).replace(/replaced-[^/]+/, 'replaced')
      const text = entry.isFile() ? await readFile(path, 'latin1') : ''
      const content = text.replace(/"(created_at|modified_ms|at|where)": ?[^,}]+/g, '').replace(/^20\S+Z\n$/, '')
      lines.push(`${at}${name} ${entry.isFile() ? createHash('sha256').update(content, 'latin1').digest('hex') : ''}`)
    }
  }
  return lines.sort()
}

/** A folder for content may be empty. */
const filesOf = async (backup: string) => (await treeOf(backup)).filter((line) => !line.endsWith(' '))

const copy = (from: string, to: string) => cp(from, to, { recursive: true, preserveTimestamps: true })

async function ok(ran: Promise<Ran>): Promise<Ran> {
  const result = await ran
  if (result.code !== 0) throw new Error(result.stderr)
  return result
}

/** The result of restoring the backup into an empty folder. */
async function restored(folder: string, scratch: string): Promise<string[]> {
  await rm(scratch, { recursive: true, force: true })
  await ok(runCli({ DATA_DIR: scratch }, ['restore', folder]))
  return treeOf(scratch)
}

t.test(
  'a backup that is interrupted at any step leaves the one before, and is whole when it is run again',
  async (t) => {
    const root = await newRoot(t)
    const data = inOneFolder(root)
    const [empty, first, whole] = [join(root, 'empty'), join(root, 'first'), join(root, 'whole')]
    const [folder, scratch] = [join(root, 'folder'), join(root, 'scratch')]
    await mkdir(empty)
    await fillFirst(data)
    await ok(runCli(data.env, ['backup', first]))
    await fillSecond(data)
    await copy(first, whole)
    const { steps, names } = await inFileSteps(() => ok(runCli(data.env, ['backup', whole])))
    t.ok(steps > 20, names.join('\n'))
    const expected = { first: await restored(first, scratch), second: await restored(whole, scratch) }
    const files = await filesOf(whole)

    for (const before of [empty, first]) {
      const { steps } = await inFileSteps(async () => {
        await copy(before, folder)
        await ok(runCli(data.env, ['backup', folder]))
      })
      let [hadFirst, hadSecond] = [false, false]
      for (let last = 0; last < steps; last++) {
        await rm(folder, { recursive: true, force: true })
        await copy(before, folder)
        const { names } = await inFileSteps(() => runCli(data.env, ['backup', folder]), last)
        if (names.length <= last) break
        const at = `${before.slice(root.length)}, step ${last}: ${names[last]}`
        const ran = await runCli({ DATA_DIR: join(root, 'refused') }, ['restore', folder])
        if (ran.code === 1) {
          t.equal(before, empty, at)
          t.match(ran.stderr, 'there is no whole backup in', at)
          t.notOk(existsSync(join(root, 'refused/events.db')), at)
        } else {
          const tree = await restored(folder, scratch)
          const isSecond = tree.join() === expected.second.join()
          t.strictSame(tree, isSecond ? expected.second : expected.first, at)
          if (isSecond) hadSecond = true
          else hadFirst = true
        }
        await rm(join(root, 'refused'), { recursive: true, force: true })
        await ok(runCli(data.env, ['backup', folder]))
        t.strictSame(await filesOf(folder), files, `${at}, again`)
      }
      t.equal(hadFirst, before === first)
      t.ok(hadSecond, 'killed when only its time was not recorded yet')
    }
  },
)

async function restoreAtEachStep(t: Test, dataAt: (name: string) => Promise<Data>, backup: string): Promise<void> {
  const original = await dataAt('original')
  await fillFirst(original)
  await ok(runCli(original.env, ['backup', backup]))
  await fillSecond(original)
  const fresh = async (name: string) => {
    const data = await dataAt(name)
    for (const [at, root] of original.roots.entries()) await copy(root, data.roots[at] ?? '')
    return data
  }
  const whole = await fresh('whole')
  const { steps, names } = await inFileSteps(() => ok(runCli(whole.env, ['restore', backup])))
  t.ok(steps > 20, names.join('\n'))
  const expected = await treeOf(...whole.roots)
  t.ok(expected.some((line) => line.includes('replaced/signing-secret')))

  const seen = { before: 0, between: 0, after: 0 }
  for (let last = 0; last < steps; last++) {
    const data = await fresh(`step-${last}`)
    const ran: Ran[] = []
    const { names } = await inFileSteps(async () => ran.push(await runCli(data.env, ['restore', backup])), last)
    const at = `step ${last}: ${names[last]}`
    t.match(ran[0], { code: 1, stderr: 'killed at step' }, at)

    // The event store is the old one or the restored one, or nobody can open it.
    const opened = await runCli(data.env, ['events'])
    if (opened.code === 1) {
      seen.between += 1
      t.match(opened.stderr, 'was interrupted while it replaced the event store; run it again', at)
    } else {
      const has = {
        old: opened.stdout.includes('template-b'),
        secret: await readFile(join(data.dataDir, 'signing-secret'), 'utf8'),
      }
      seen[has.old ? 'before' : 'after'] += 1
      t.equal(has.secret, has.old ? 'other' : 'first', at)
      t.equal(existsSync(join(data.objectsPath, 'pdfs/b.pdf')), has.old, at)
    }
    await ok(runCli(data.env, ['restore', backup]))
    // The restore was complete when it was killed: the second one replaces what the first has restored.
    if (opened.code === 0 && !opened.stdout.includes('template-b')) {
      t.match(await runCli(data.env, ['events']), { stdout: 'template-a' }, at)
    } else {
      t.strictSame(await treeOf(...data.roots), expected, `${at}, again`)
    }
    for (const root of data.roots) await rm(root, { recursive: true })
  }
  t.ok(seen.before > 10 && seen.between > 10, JSON.stringify(seen))
}

t.test('a restore that is interrupted leaves what was there, or nothing starts until it is run again', async (t) => {
  const root = await newRoot(t)
  const dataAt = async (name: string) => {
    await mkdir(join(root, name))
    return inOneFolder(join(root, name))
  }
  await restoreAtEachStep(t, dataAt, join(root, 'backup'))
})

t.test(
  'a restore across file systems, interrupted at any step',
  { skip: !hasOther && `${otherFileSystem} is not another file system` },
  async (t) => {
    const [root, other] = [t.testdir(), await newRoot(t)]
    const dataAt = async (name: string) => {
      for (const folder of [root, other]) await mkdir(join(folder, name))
      return onTwoFileSystems(join(root, name), join(other, name))
    }
    await restoreAtEachStep(t, dataAt, join(root, 'backup'))
  },
)
