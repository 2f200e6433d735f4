import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { totalsLine, totalsOf } from './report.ts'
import { runFile } from './run-file.ts'

// Fails where there is no /proc, which names the processes.
const runs = async (t: Test, source: string, timeoutMs = 60_000, signal = new AbortController().signal) => {
  const folder = t.testdir({
    'a.test.ts': `import { spawn } from 'node:child_process'\nimport t from 'tap'\n${source}`,
  })
  return runFile(join(folder, 'a.test.ts'), { env: process.env, timeoutMs, signal })
}
const pidsOf = (text: string | undefined) => (text ?? '').split('\n').map((line) => Number(line.split(' ')[0]))
/** An ended process is still listed until its parent has asked how it ended. */
const isRunning = (pid: number) =>
  existsSync(`/proc/${pid}`) && !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))

t.test('a file that passes has no problems', async (t) => {
  const result = await runs(t, `t.test('one', async (t) => t.pass())`)
  t.match(result, { ok: true, report: /ok 1 - one/, problems: {} })
  t.equal(totalsLine(totalsOf([result])), '# { total: 1, pass: 1 }')
})

t.test('a file that hangs names the test and the processes that did not end, and leaves none', async (t) => {
  const result = await runs(
    t,
    `t.test('waits for a process', async () => {
      const child = spawn('sh', ['-c', 'sleep 321; :'], { stdio: ['ignore', 'pipe', 'ignore'] })
      spawn('sleep', ['322'], { stdio: 'ignore', detached: true })
      t.setTimeout(1_000)
      await new Promise((resolve) => child.once('exit', resolve))
    })`,
  )
  t.match(result, { ok: false, report: /not ok 1 - waits for a process/ })
  t.equal(result.problems.expired, 'it did not end within 1 s')
  t.match(result.problems['left running'], /\d+ sh -c sleep 321.*\d+ sleep 32/s)
  const pids = pidsOf(result.problems['left running'])
  t.equal(pids.length, 3)
  t.notOk(pids.some(isRunning))
  t.match(totalsOf([result]), { pass: 0 })
  t.not(totalsOf([result]).fail, 0)
})

t.test('a file that sets no time limit has that of the run', async (t) => {
  const result = await runs(t, `t.test('waits', () => new Promise(() => setInterval(() => {}, 1_000)))`, 1_000)
  t.match(result, { ok: false, problems: { expired: 'it did not end within 1 s' } })
})

t.test('a file that keeps Node busy is ended too', async (t) => {
  const busy = 'setTimeout(() => { for (;;); }, 100)'
  const result = await runs(t, `spawn('sleep', ['323']); t.setTimeout(1_000); ${busy}`)
  t.match(result, { ok: false, problems: { ended: 'by SIGKILL', 'left running': /^\d+ sleep 323$/ } })
  t.notOk(pidsOf(result.problems['left running']).some(isRunning))
  t.match(totalsOf([result]), { total: 1, fail: 1 })
})

t.test('what a passed file has left is named and ended', async (t) => {
  const result = await runs(t, `spawn('sleep', ['324'], { stdio: 'inherit', detached: true }).unref(); t.pass()`)
  t.match(result, { ok: true, problems: { 'left running': /^\d+ sleep 324$/ } })
  t.notOk(pidsOf(result.problems['left running']).some(isRunning))
})

t.test('a file that cannot be run shows why', async (t) => {
  const result = await runs(t, `import './missing.ts'`)
  t.match(result, { ok: false, problems: { ended: 'with exit code 1', stderr: /Cannot find module .*missing\.ts/ } })
  t.equal(totalsLine(totalsOf([result])), '# { total: 1, pass: 0, fail: 1 }')
})

t.test('Ctrl-C ends a file and its processes', async (t) => {
  const stop = new AbortController()
  setTimeout(() => stop.abort(), 1_000)
  const result = await runs(t, `spawn('sleep', ['325']); setInterval(() => {}, 1_000)`, 60_000, stop.signal)
  t.match(result, { ok: false, problems: { ended: 'by SIGKILL' } })
})
