/**
 * Runs test files one after another in this process, so that they share what takes long to load. The parent sends a
 * path for each, and gets a result for each. Each file has a root test of its own: what it imports as `tap`.
 */
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { sharedProcesses } from '@platen/test-support/shared-processes.ts'
import type { Test, TestOpts } from 'tap'

/** What the parent sends. */
export interface RunFile {
  file: string
  /** The limit for a file that sets none. */
  timeoutMs: number
  /** In the environment of the processes that the file starts. */
  key: string
}

/** What the parent is told: the limit of a file changes, or it has ended. */
export type WorkerMessage = { type: 'limit'; timeoutMs: number } | EndedFile

export interface EndedFile {
  type: 'ended'
  ok: boolean
  ms: number
  counts: TestCounts
  skipped: Skipped[]
  /** In TAP 14. */
  report: string
  /** What the file has changed in its process, and not restored. */
  changed: string[]
  /** Processes for all files of the worker. */
  shared: number[]
  rssMb: number
}

export interface TestCounts {
  total: number
  pass: number
  fail: number
  skip: number
  todo: number
}

/** A test or an assertion that was left out, and the reason. */
export interface Skipped {
  name: string
  reason: string
}

const tap = import.meta.resolve('tap')
/**
 * tap follows each promise to find the test of an uncaught error, which takes a sixth of the processor time of all tests. Here the
 * innermost test that runs is told of it.
 */
const errorDomain = 'export class Domain { constructor(onerror) { this.onerror = onerror } destroy() {} }'
const root = new Map<string, Test>()

/** Read by the module that a test file gets as `tap`. */
Object.assign(globalThis, { rootTestOf: (url: string) => root.get(url) })

registerHooks({
  resolve(specifier, context, next) {
    const { parentURL } = context
    if (specifier === 'async-hook-domain') return { url: 'error-domain:', format: 'module', shortCircuit: true }
    if (specifier !== 'tap' || !parentURL || !root.has(parentURL)) return next(specifier, context)
    return { url: `root-test:${parentURL}`, format: 'module', shortCircuit: true }
  },
  load(url, context, next) {
    if (url === 'error-domain:') return { source: errorDomain, format: 'module', shortCircuit: true }
    if (!url.startsWith('root-test:')) return next(url, context)
    const file = JSON.stringify(url.slice('root-test:'.length))
    const source = `export * from ${JSON.stringify(tap)}; export default rootTestOf(${file})`
    return { source, format: 'module', shortCircuit: true }
  },
})

const { Test: RootTest } = await import('tap')
let running: Test | undefined
for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
  process.on(event, (error: unknown) => {
    const thrown = error instanceof Error ? error : new Error(String(error))
    innermost(running)?.threw(Object.assign(thrown, { tapCaught: event }))
  })
}

/** The subtest that runs. */
function innermost(test: Test | undefined): Test | undefined {
  const [subtest] = test?.activeSubtests ?? []
  return subtest ? innermost(subtest as Test) : test
}

// The parent has no more files.
process.once('disconnect', () => process.exit())

process.on('message', async (message: RunFile) => {
  process.send?.(await runFile(message))
})

async function runFile({ file, timeoutMs, key }: RunFile): Promise<WorkerMessage> {
  const path = join(process.cwd(), file)
  // tap names the folders of t.testdir() after it.
  process.argv[1] = path
  process.env.TAP_CHILD_KEY = key
  const before = globalState()
  const url = pathToFileURL(path).href
  let report = ''
  const options: TestOpts = { name: file, timeout: timeoutMs, omitVersion: true, cb: () => import(url) }
  const test: Test = new RootTest(options)
  running = test
  const setTestTimeout = test.setTimeout.bind(test)
  test.setTimeout = (ms: number) => {
    // tap sets 0 itself when a test has ended.
    if (ms > 0) process.send?.({ type: 'limit', timeoutMs: ms } satisfies WorkerMessage)
    setTestTimeout(ms)
  }
  root.set(url, test)
  // tap removes the folder of t.testdir() before it calls the teardowns, unless one was there before the folder.
  test.teardown(() => {})
  test.beforeEach((subtest) => subtest.teardown(() => {}))
  test.on('data', (text: string) => {
    report += text
  })
  const ended = new Promise((resolve) => test.once('complete', resolve))
  test.runMain(() => {})
  await ended
  // tap has it go on for a root test, whose process ends.
  setTestTimeout(0)
  const { total, pass, fail, skip, todo } = test.counts
  return {
    type: 'ended',
    ok: test.results?.ok ?? false,
    ms: test.time,
    counts: { total, pass, fail, skip, todo },
    skipped: test.lists.skip.map(({ fullname, name, skip }) => ({ name: fullname || name, reason: String(skip) })),
    report,
    changed: changes(before, globalState()),
    shared: [...sharedProcesses],
    rssMb: Math.round(process.memoryUsage.rss() / 2 ** 20),
  }
}

/** What a file must leave as it was for the files after it. */
function globalState(): ReadonlyMap<string, unknown> {
  const { TAP_CHILD_KEY, ...env } = process.env
  const globals = ['fetch', 'Date', 'setTimeout', 'setInterval', 'setImmediate', 'crypto', 'performance'] as const
  return new Map<string, unknown>([
    ['the working directory', process.cwd()],
    ['process.exitCode', process.exitCode],
    ['process.stdout.write', process.stdout.write],
    ['process.stderr.write', process.stderr.write],
    ...Object.entries(env).map(([name, value]): [string, unknown] => [`the variable ${name}`, value]),
    ...globals.map((name): [string, unknown] => [name, globalThis[name]]),
  ])
}

function changes(before: ReadonlyMap<string, unknown>, after: ReadonlyMap<string, unknown>): string[] {
  return [...new Set([...before.keys(), ...after.keys()])].filter((name) => before.get(name) !== after.get(name))
}
