import { globSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { importsAndReferencesOf, readImports } from '../imports.ts'
import { affectedTests, changedSince } from './changed-files.ts'
import { Progress } from './progress.ts'
import { runFiles } from './run-files.ts'
import { isAlone, isHeavy, isIn, labSuites, mainSuite, type Suite, suiteOf, systemSuites } from './suites.ts'
import { summaryLines } from './summary.ts'
import type { FileResult } from './test-worker.ts'
import { longestFirst, readTimes, writeTimes } from './times.ts'

const usage = `usage: npm test                                    the checks and the tests: ten minutes on two cores
       npm test -- [options] <files or folders>    these tests, without the checks
       npm test -- --changed [ref]                 the tests of what has changed since a commit (HEAD)
       npm run test:system -- [options] [suites]   the long tests
       npm run test:lab -- [options] [suites]      tests that need more than a clean machine has

  --jobs <n>      files at the same time (4: many wait, and four keep two cores busy; 3 of test:system, which start many processes)
  --timeout <s>   for a file that does not set its own (600)
  --seed <n>      of all random input (1); random: another one for each run
  --list          list the files, or the suites with their times, and run nothing
`

/** The values of `--suites`. */
const kinds = new Map([
  ['system', systemSuites],
  ['lab', labSuites],
])
const root = fileURLToPath(new URL('../..', import.meta.url))

process.exitCode = await main(process.argv.slice(2))

/** Resolves with the exit code: 0 all passed, 1 a test failed, 2 usage. */
async function main(args: string[]): Promise<number> {
  const plan = readArguments(args)
  if (typeof plan === 'string') {
    process.stderr.write(plan)
    return 2
  }
  const { files, jobs, seed, timeoutMs } = plan
  if (plan.list.length > 0) {
    process.stdout.write(`${plan.list.join('\n')}\n`)
    return 0
  }
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stop.abort())
  // Who reads the output has left, as `head` does.
  process.stdout.on('error', () => stop.abort())
  const times = readTimes(root)
  const write = (text: string) => void process.stdout.write(text)
  const progress = new Progress({ files, times, jobs, isTerminal: process.stdout.isTTY, write })
  const results: FileResult[] = []
  const startedAt = performance.now()
  const options = { env: { ...process.env, TEST_SEED: String(seed) }, timeoutMs, signal: stop.signal }
  const onResult = (result: FileResult) => {
    results.push(result)
    progress.show(result)
  }
  await runFiles(longestFirst(files, times), { ...options, jobs, isAlone, isHeavy, onResult })
  writeTimes(root, results)
  const notRun = files.length - results.length
  const summary = summaryLines({ results, notRun, seed, suiteOf, ms: performance.now() - startedAt })
  write(`\n${summary.join('\n')}\n`)
  return notRun > 0 || results.some(({ ok }) => !ok) ? 1 : 0
}

interface Plan {
  files: readonly string[]
  jobs: number
  seed: number
  timeoutMs: number
  /** Printed instead of a run. */
  list: readonly string[]
}

function readArguments(args: string[]): Plan | string {
  try {
    const options = {
      suites: { type: 'string' },
      changed: { type: 'boolean', default: false },
      jobs: { type: 'string' },
      timeout: { type: 'string', default: '600' },
      seed: { type: 'string', default: '1' },
      list: { type: 'boolean', default: false },
    } as const
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
    const suites = values.suites === undefined ? undefined : kinds.get(values.suites)
    if (values.suites !== undefined && !suites) throw new Error(`${values.suites} is neither system nor lab`)
    const files = suites
      ? filesOfSuites(suites, positionals)
      : values.changed
        ? changedFiles(positionals[0])
        : filesOf(positionals)
    return {
      files,
      jobs: positive(values.jobs ?? (values.suites === 'system' ? '3' : '4')),
      seed: values.seed === 'random' ? Date.now() % 2 ** 31 : positive(values.seed),
      timeoutMs: positive(values.timeout) * 1000,
      list: values.list ? (suites ? suites.map(suiteLine) : files) : [],
    }
  } catch (err) {
    return `npm test: ${(err as Error).message}\n\n${usage}`
  }
}

/** What is named, or all that belongs to no suite. */
function filesOf(paths: readonly string[]): string[] {
  if (paths.length > 0) return chooseFiles(root, paths)
  return chooseFiles(root, [root]).filter((file) => suiteOf(file) === mainSuite)
}

/** Files of `npm test` that a change concerns, nearest first. */
function changedFiles(ref = 'HEAD'): string[] {
  const imports = readImports(importsAndReferencesOf, root)
  const importsOf = (file: string) => imports.get(file) ?? []
  const affected = affectedTests({ files: [...imports.keys()], importsOf, changed: changedSince(root, ref) })
  const isLong = (file: string) => suiteOf(file) !== mainSuite
  const suites = [...new Set(affected.filter(isLong).map(suiteOf))]
  if (suites.length > 0)
    process.stderr.write(
      `npm test: also concerned, and not run: ${suites.join(', ')} (npm run test:system, test:lab)\n`,
    )
  return affected.filter((file) => !isLong(file))
}

function filesOfSuites(suites: readonly Suite[], names: readonly string[]): string[] {
  const unknown = names.find((name) => !suites.some((suite) => suite.name === name))
  if (unknown) throw new Error(`there is no suite ${unknown}: ${suites.map(({ name }) => name).join(', ')}`)
  const chosen = suites.filter(({ name }) => names.length === 0 || names.includes(name))
  return chooseFiles(root, [root]).filter((file) => chosen.some((suite) => isIn(file, suite)))
}

function suiteLine({ name, what, minutes, needs }: Suite): string {
  return `${name.padEnd(12)} ${String(minutes).padStart(3)} min  ${what}${needs ? ` (needs ${needs})` : ''}`
}

function positive(text: string): number {
  const number = Number(text)
  if (!(number > 0)) throw new Error(`${text} is not a positive number`)
  return number
}

/** The test files that the paths name: files and folders. Throws if a path names none. */
function chooseFiles(root: string, paths: readonly string[]): string[] {
  return [...new Set(paths.flatMap((path) => named(root, path)))]
}

function named(root: string, path: string): string[] {
  const found = statSync(path, { throwIfNoEntry: false })
  const files = found?.isDirectory() ? testFiles(root, path) : found?.isFile() ? [relative(root, path)] : []
  if (files.length === 0) throw new Error(`there is no test file ${path}`)
  return files
}

function testFiles(root: string, folder: string): string[] {
  const exclude = (name: string) => name === 'node_modules' || name.startsWith('.')
  const files = globSync('**/*.test.ts', { cwd: folder, exclude })
  return files.map((file) => relative(root, join(folder, file))).sort()
}
