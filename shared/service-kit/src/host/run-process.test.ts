import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import t, { type Test } from 'tap'

const runProcess = new URL('run-process.ts', import.meta.url).href

/** Runs a process whose start is `start`, sends SIGTERM once it prints `after`, and returns its exit code and its output. */
async function terminate(
  t: Test,
  start: string,
  after = 'starting',
  env: Record<string, string> = {},
): Promise<{ code: number | null; output: string }> {
  const script = `import { runProcess } from '${runProcess}'
    const exitCode = await runProcess('test', ${JSON.stringify(env)}, async ({ resources, stopping, setLongestWork }) => {
      // Keeps the process alive, like an open connection.
      setInterval(() => {}, 1_000)
      resources.defer(() => console.log('released'))
      console.log('starting')
      ${start}
    })
    process.exit(exitCode)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  t.teardown(() => child.kill('SIGKILL'))
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text) => {
    const before = output
    output += text
    if (!before.includes(after) && output.includes(after)) child.kill('SIGTERM')
  })
  const [code] = await once(child, 'close')
  return { code, output }
}

t.test('SIGTERM ends a process whose start waits for a backing service', async (t) => {
  const waiting = await terminate(t, 'await new Promise(() => {})')
  t.equal(waiting.code, 0)
  t.match(waiting.output, /released/)
})

t.test('a start that fails after it was suspended begins again, and what it had acquired is released', async (t) => {
  const sleeping = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_500)'
  const start = `globalThis.starts = (globalThis.starts ?? 0) + 1
      if (starts === 1) { ${sleeping}; throw new Error('timed out') }
      console.log('started ' + starts)`
  const suspended = await terminate(t, start, 'started')
  t.equal(suspended.code, 0)
  t.match(suspended.output, /released[\s\S]*starting[\s\S]*started 2[\s\S]*released/)
  t.match(suspended.output, /starting again/, 'in the log, which is written on its own')
})

t.test('a start that ends soon after SIGTERM, with or without an error, is finished first', async (t) => {
  const soon = 'await new Promise((resolve) => stopping.addEventListener("abort", () => setTimeout(resolve, 100)))'
  for (const ending of ["console.log('started')", "console.log('failed'); throw new Error('interrupted')"]) {
    const ended = await terminate(t, `${soon}\n${ending}`)
    t.equal(ended.code, 0)
    t.match(ended.output, /(started|failed)[\s\S]*released/)
  }
})

t.test('a shutdown lets the longest work finish, and exits with code 1 when it takes longer', async (t) => {
  const working = (seconds: number) => `const later = setTimeout
      // A second takes fifty milliseconds.
      globalThis.setTimeout = (callback, ms, ...args) => later(callback, ms / 20, ...args)
      setLongestWork(90_000)
      resources.defer(() => new Promise((resolve) => setTimeout(resolve, ${seconds}_000)))
      console.log('started')`
  const inTime = await terminate(t, working(91), 'started')
  t.match(inTime, { code: 0, output: /"limitMs":110000/ })
  t.match(inTime.output, /released/)
  const late = await terminate(t, working(400), 'started')
  t.match(late, { code: 1, output: /takes too long/ })
})

t.test('a keystroke that arrives twice is one signal, and a later one ends the process at once', async (t) => {
  const signalledAgain = (afterMs: number) => `stopping.addEventListener('abort', () => {
        const stoppedAt = performance.now()
        performance.now = () => stoppedAt + ${afterMs}
        resources.defer(() => new Promise((resolve) => process.once('SIGTERM', resolve)))
        process.kill(process.pid, 'SIGTERM')
      })`
  t.match(await terminate(t, signalledAgain(100)), { code: 0, output: /released/ })
  t.equal((await terminate(t, signalledAgain(1_600))).code, 130)
})

t.test('without work that takes long, a shutdown has a minute', async (t) => {
  t.match(await terminate(t, 'setLongestWork(15_000)'), { code: 0, output: /"limitMs":60000/ })
})

t.test('a misspelt setting is named in the log, and beside the settings that are wrong', async (t) => {
  const misspelt = await terminate(t, '', '"meant":"LOG_LEVEL"', { LOG_LEVLE: 'debug' })
  t.match(misspelt.output, /LOG_LEVLE is not a setting and is ignored; LOG_LEVEL may be meant/)
  t.equal(misspelt.code, 0)
})

t.test('a failed start is one line, also if a server has answered with a page', async (t) => {
  const cause = '<html>\\n  <p>Not\\n here\\n'
  const script = `import { runProcess } from '${runProcess}'
    const exitCode = await runProcess('test', {}, async () => {
      throw new Error('OBJECT_STORE_URL: no store', { cause: new Error('${cause}') })
    })
    process.exit(exitCode)`
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })
  t.equal(status, 1)
  t.equal(stderr, 'test cannot run: OBJECT_STORE_URL: no store (<html> <p>Not here)\n')
})
