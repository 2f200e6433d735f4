import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openEventStore } from '@platen/event-store/adapters/open-event-store.ts'
import t from 'tap'
import { runCli } from '../../testing/run-cli.ts'

// Real processes, which leave their locks and half of what they write. `interrupted.test.ts` has more cases, in one process.

t.setTimeout(600_000)

const program = fileURLToPath(new URL('../../testing/killed-cli.ts', import.meta.url))
const atOnce = 3

/** `steps`: it has ended by itself. */
interface Killed {
  signal: NodeJS.Signals | undefined
  steps: number
}

function killedAt(step: number, dataDir: string, args: string[]): Promise<Killed> {
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env
  const env = { PATH, NODE_COMPILE_CACHE }
  return new Promise((resolve) => {
    execFile(process.execPath, [program, String(step), dataDir, ...args], { env }, (err, stdout) =>
      resolve({ signal: err?.signal, steps: Number(stdout) }),
    )
  })
}

/** Calls `work` with 0, 1, 2 … until it resolves with false. */
async function eachStep(work: (step: number) => Promise<boolean>): Promise<number> {
  let [step, isOver] = [0, false]
  const run = async () => {
    while (!isOver) if (!(await work(step++))) isOver = true
  }
  await Promise.all(Array.from({ length: atOnce }, run))
  return step
}

async function fill(dataDir: string, names: readonly string[]): Promise<void> {
  await mkdir(join(dataDir, 'objects/pdfs'), { recursive: true })
  const store = await openEventStore(`sqlite:${dataDir}/events.db`)
  for (const name of names) {
    await store.append(`template-${name}`, [{ id: randomUUID(), type: 'TemplateDeleted', data: {} }], 'none')
    await writeFile(join(dataDir, `objects/pdfs/${name}.pdf`), `of ${name}`)
  }
  await writeFile(join(dataDir, 'signing-secret'), names.join())
  await store.close()
}

const copy = (from: string, to: string) => cp(from, to, { recursive: true, preserveTimestamps: true })

t.test('a backup that is killed at any write leaves the one before, or a whole one, or none', async (t) => {
  const folder = t.testdir()
  const at = (...names: string[]) => join(folder, ...names)
  const platen = (...args: string[]) => runCli({ DATA_DIR: at('data') }, args)
  await fill(at('data'), ['a'])
  await platen('backup', at('first'))
  await fill(at('data'), ['b'])
  for (const before of ['none', 'first']) {
    const seen = { none: 0, first: 0, second: 0 }
    const steps = await eachStep(async (step) => {
      const target = at(`${before}-${step}`)
      if (before === 'first') await copy(at('first'), target)
      const { signal } = await killedAt(step, at('data'), ['backup', target])
      const found = await platen('backup', 'verify', target, '--json')
      const what = `${before}, step ${step}`
      if (found.code === 0) seen[JSON.parse(found.stdout).events === 1 ? 'first' : 'second'] += 1
      else {
        seen.none += 1
        t.match(found.stderr, 'there is no whole backup in', what)
        t.equal(before, 'none', what)
        t.match(await platen('restore', target), { code: 1, stderr: 'there is no whole backup in' }, what)
      }
      t.match(await platen('backup', target), { code: 0 }, `${what}, again`)
      t.match(await platen('backup', 'verify', target, '--json'), { code: 0, stdout: '"events":2' }, `${what}, again`)
      t.same(
        (await readdir(join(target, 'files'))).filter((name) => name.startsWith('new')),
        [],
        what,
      )
      await rm(target, { recursive: true })
      return signal === 'SIGKILL'
    })
    t.ok(steps > 20 && seen.second > 0 && (before === 'none' ? seen.none : seen.first) > 10, JSON.stringify(seen))
  }
})

t.test(
  'a restore that is killed at any write leaves what was there, or nothing starts until it is run again',
  async (t) => {
    const folder = t.testdir()
    const at = (...names: string[]) => join(folder, ...names)
    await fill(at('original'), ['a'])
    await runCli({ DATA_DIR: at('original') }, ['backup', at('backup')])
    await fill(at('original'), ['b'])
    const seen = { before: 0, between: 0, after: 0 }
    const steps = await eachStep(async (step) => {
      const dataDir = at(`data-${step}`)
      await copy(at('original'), dataDir)
      const { signal } = await killedAt(step, dataDir, ['restore', at('backup')])
      const what = `step ${step}`
      const platen = (...args: string[]) => runCli({ DATA_DIR: dataDir }, args)
      const opened = await platen('events')
      if (opened.code === 0) {
        const isOld = opened.stdout.includes('template-b')
        seen[isOld ? 'before' : 'after'] += 1
        t.equal(await readFile(join(dataDir, 'signing-secret'), 'utf8'), isOld ? 'b' : 'a', what)
      } else {
        seen.between += 1
        t.match(opened.stderr, 'was interrupted while it replaced the event store; run it again', what)
      }
      t.match(await platen('restore', at('backup')), { code: 0 }, `${what}, again`)
      t.match(await platen('events'), { code: 0, stdout: 'template-a' }, `${what}, again`)
      t.equal(await readFile(join(dataDir, 'signing-secret'), 'utf8'), 'a', what)
      t.same(await readdir(join(dataDir, 'objects/pdfs')), ['a.pdf'], what)
      t.same(
        (await readdir(dataDir)).filter((name) => /restor/.test(name)),
        [],
        what,
      )
      await rm(dataDir, { recursive: true })
      return signal === 'SIGKILL'
    })
    t.ok(steps > 20 && seen.before > 10 && seen.between > 10 && seen.after > 0, JSON.stringify(seen))
  },
)

t.test(
  'a restore into an empty folder that is killed is not taken for a folder in which nothing ever was',
  async (t) => {
    const folder = t.testdir()
    const at = (...names: string[]) => join(folder, ...names)
    await fill(at('original'), ['a'])
    await runCli({ DATA_DIR: at('original') }, ['backup', at('backup')])
    const seen = { none: 0, staged: 0, between: 0, after: 0 }
    await eachStep(async (step) => {
      const dataDir = at(`data-${step}`)
      await mkdir(dataDir)
      const { signal } = await killedAt(step * 4, dataDir, ['restore', at('backup')])
      const { code, stderr } = await runCli({ DATA_DIR: dataDir }, ['keys', 'issue', '--name', 'a', '--create'])
      if (/interrupted; run it again, or delete .*restore.new to begin with an empty one/.test(stderr)) seen.staged += 1
      else if (code !== 0) seen.between += 1
      else if ((await readdir(dataDir)).includes('restore.new')) t.fail(`step ${step}: an empty event store was made`)
      else if (signal === undefined) seen.after += 1
      else seen.none += 1
      return signal === 'SIGKILL'
    })
    t.ok(seen.staged > 1 && seen.between > 0 && seen.after > 0, JSON.stringify(seen))
  },
)
