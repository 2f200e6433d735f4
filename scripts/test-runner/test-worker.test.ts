import { existsSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { until } from '@platen/test-support/until.ts'
import t, { type Test } from 'tap'
import { TestWorker } from './test-worker.ts'

// Fails where there is no /proc, which names the processes.
const worker = (t: Test, timeoutMs = 60_000) => {
  const started = new TestWorker({ env: process.env, timeoutMs })
  t.teardown(() => started[Symbol.asyncDispose]())
  return started
}
const fileOf = (t: Test, source: string, name = 'a.test.ts') => {
  const folder = t.testdir({ [name]: `import { spawn } from 'node:child_process'\nimport t from 'tap'\n${source}` })
  return relative(process.cwd(), join(folder, name))
}
const pidsOf = (text = '') => text.split('\n').map((line) => Number(line.split(' ')[0]))
/** An ended process is still listed until its parent has asked how it ended. */
const isRunning = (pid: number) =>
  existsSync(`/proc/${pid}`) && !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))

t.test('files run one after another in one process, each with a root test of its own', async (t) => {
  const shared = worker(t)
  const source = (n: number) => `
    t.teardown(() => { globalThis.released = ${n} })
    t.test('one', async (t) => { t.pass(); t.equal(globalThis.released, ${n === 1 ? 'undefined' : n - 1}) })
    t.test('later', { skip: 'no browser' }, async () => {})`
  const first = await shared.run(fileOf(t, source(1), 'first.test.ts'))
  t.match(first, { ok: true, problems: {}, counts: { total: 3, pass: 2, skip: 1 } })
  t.match(first.skipped, [{ name: /later/, reason: 'no browser' }])
  t.notOk(shared.isSpent)
  t.match(await shared.run(fileOf(t, source(2), 'second.test.ts')), { ok: true, counts: { total: 3, pass: 2 } })
})

t.test('what a test releases is released before its folder is removed', async (t) => {
  const source = `
    import { existsSync } from 'node:fs'
    let folder = ''
    let wasThere
    t.test('one', async (t) => {
      folder = t.testdir({ a: '' })
      t.teardown(() => { wasThere = existsSync(folder) })
    })
    t.test('two', async (t) => { t.ok(wasThere); t.notOk(existsSync(folder)) })`
  t.match(await worker(t).run(fileOf(t, source)), { ok: true, counts: { pass: 3 } })
})

t.test('a failed assertion fails its file, and the worker runs no other', async (t) => {
  const started = worker(t)
  const result = await started.run(fileOf(t, `t.test('sums', async (t) => t.equal(1 + 1, 3))`))
  t.match(result, { ok: false, problems: {}, counts: { total: 1, fail: 1 }, report: /not ok 1 - sums/ })
  t.ok(started.isSpent)
})

t.test('what is thrown outside of a test fails the file', async (t) => {
  t.match(await worker(t).run(fileOf(t, `import './missing.ts'`)), {
    ok: false,
    report: /Cannot find module .*missing/,
  })
  const late = `t.test('waits', () => new Promise(() => setTimeout(() => { throw new Error('late') }, 10)))`
  t.match(await worker(t).run(fileOf(t, late)), { ok: false, report: /late/ })
})

t.test('a process that ends before its file is named', async (t) => {
  const exits = await worker(t).run(fileOf(t, `console.error('no more'); process.exit(3)`))
  t.match(exits, { ok: false, problems: { ended: 'with exit code 3', output: /no more/ } })
  t.match(await worker(t).run(fileOf(t, `process.kill(process.pid, 'SIGKILL')`)), { problems: { ended: 'by SIGKILL' } })
})

t.test('a file that hangs names the test and the processes that did not end, and leaves none', async (t) => {
  const result = await worker(t).run(
    fileOf(
      t,
      `t.test('waits for a process', async () => {
        const child = spawn('sh', ['-c', 'sleep 321; :'], { stdio: ['ignore', 'pipe', 'ignore'] })
        spawn('sleep', ['322'], { stdio: 'ignore', detached: true })
        t.setTimeout(1_000)
        await new Promise((resolve) => child.once('exit', resolve))
      })`,
    ),
  )
  t.match(result, { ok: false, report: /not ok 1 - waits for a process/ })
  const pids = pidsOf(result.problems['left running'])
  t.equal(pids.length, 3)
  for (const pid of pids) await until(() => (isRunning(pid) ? undefined : true), `${pid} is still running`)
})

t.test('a file that blocks its process is given up', async (t) => {
  const result = await worker(t, 100).run(fileOf(t, `t.test('blocks', async () => { for (;;); })`))
  t.match(result, { ok: false, problems: { expired: 'it did not end within 0.1 s' } })
})

t.test('a file that passes must leave no process, and no global value changed', async (t) => {
  const leaves = `t.pass(); spawn('sleep', ['323'], { stdio: 'ignore', detached: true }).unref()`
  const result = await worker(t).run(fileOf(t, leaves))
  t.match(result, { ok: false, problems: { 'left running': /sleep 323/ } })
  for (const pid of pidsOf(result.problems['left running'])) {
    await until(() => (isRunning(pid) ? undefined : true), `${pid} is still running`)
  }
  const changes = `t.pass(); process.env.TEST_OF_THE_RUNNER = 'x'; globalThis.fetch = async () => {}`
  t.match(await worker(t).run(fileOf(t, changes)), {
    ok: false,
    problems: { 'left changed': 'fetch, the variable TEST_OF_THE_RUNNER' },
  })
})
