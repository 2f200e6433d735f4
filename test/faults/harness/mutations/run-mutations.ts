import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { summary } from '../report.ts'
import type { Verdict } from '../verdict.ts'
import { type Mutation, mutate, root } from './mutation.ts'

/** A copy of the source that shares the installed packages. */
async function copySource(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-mutant-'))
  const left = new Set(['node_modules', '.git', '.tap', 'data', 'out'])
  for (const name of await readdir(root)) {
    if (!left.has(name)) await cp(join(root, name), join(folder, name), { recursive: true, verbatimSymlinks: true })
  }
  await mkdir(join(folder, 'node_modules'))
  for (const name of await readdir(join(root, 'node_modules'))) {
    const [from, to] = [join(root, 'node_modules', name), join(folder, 'node_modules', name)]
    // Packages of the workspace are links to folders beside node_modules.
    if (name === '@platen') await cp(from, to, { recursive: true, verbatimSymlinks: true })
    else await symlink(from, to)
  }
  return folder
}

export interface MutationOptions {
  seed: number
  say: (line: string) => void
  /** Runs only guards with one of these texts, separated by `;`. */
  only?: string | undefined
  /**
   * `each`: one guard after the other under its faults, and with its test if the faults do not show it. `tests`: with
   * its test only. `together`: all at once, which is faster; the reader must tell apart two guards that violate one
   * invariant.
   */
  mode?: 'each' | 'tests' | 'together'
  /** Further options of the command line. */
  args?: readonly string[]
}

/** Most violations of an invariant that are printed. */
const shown = 3

interface Ran {
  /** The verdicts with violations. */
  red: Pick<Verdict, 'invariant' | 'violations'>[]
  /** Faults whose moment did not come. */
  unmet: string[]
  /** Why a run ended before its checker. */
  failure?: string
}

/** Takes guards out. Returns those whose absence was not seen. */
export async function runMutations(
  some: readonly Mutation[],
  { seed, say, only = '', mode = 'each', args = [] }: MutationOptions,
): Promise<string[]> {
  const texts = only.split(';')
  const chosen = some.filter(({ guard }) => texts.some((text) => guard.includes(text)))
  const options = [...args, '--seed', String(seed)]
  const unseen: string[] = []
  const judge = (mutation: Mutation, ran: Ran, by = '') => {
    const { guard, invariant } = mutation
    const found = isSeen(ran, mutation)
    if (!found) unseen.push(guard)
    say(`${found ? 'seen  ' : 'UNSEEN'} ${guard}: ${invariant}${by}`)
  }
  const list = ({ red, unmet, failure }: Ran, of: readonly Mutation[]) => {
    if (failure !== undefined) say(`       the run ended without a report: ${failure}`)
    for (const fault of unmet) say(`       its moment did not come: ${fault}`)
    for (const { invariant, violations } of red) {
      // The expected violations, and some that may have another cause.
      const wanted = of.flatMap((one) => violations.filter(saying(one.says ?? '')).slice(0, shown))
      const listed = new Set([...wanted, ...violations.slice(0, shown)])
      for (const violation of listed) say(`       ${invariant} ${violation}`)
    }
  }
  if (mode === 'together') {
    const ran = await withoutGuards(chosen, (folder) => runIn(folder, allOf(chosen), options))
    for (const mutation of chosen) judge(mutation, ran)
    list(ran, chosen)
    return unseen
  }
  for (const mutation of chosen) {
    const { invariant, test } = mutation
    if (mode === 'tests' && test === undefined) continue
    await withoutGuards([mutation], async (folder) => {
      const underFaults = mode === 'each' && invariant !== 'test'
      if (underFaults) {
        const ran = await runIn(folder, mutation, options)
        if (test === undefined || isSeen(ran, mutation)) {
          judge(mutation, ran)
          return list(ran, [mutation])
        }
        list(ran, [mutation])
      }
      if (test === undefined) return
      const ran = await runTest(folder, test)
      judge(mutation, ran, underFaults ? ', by its test alone' : ', by its test')
      list(ran, [mutation])
    })
  }
  return unseen
}

const isSeen = ({ red }: Ran, { invariant, says = '' }: Mutation) =>
  red.some((one) => one.invariant === 'test' || (one.invariant === invariant && one.violations.some(saying(says))))

const saying = (text: string) => (violation: string) => violation.includes(text)

/** Calls `use` with a copy of the source that lacks the guards. */
async function withoutGuards<Result>(some: readonly Mutation[], use: (folder: string) => Promise<Result>) {
  const folder = await copySource()
  try {
    for (const mutation of some) await mutate(mutation, folder)
    return await use(folder)
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** A run that has the faults of all. */
function allOf(some: readonly Mutation[]): Run {
  return {
    faults: some.flatMap(({ faults }) => faults),
    single: some.every(({ single }) => single),
    ...(some.some(({ engines }) => engines === 'networked') && { engines: 'networked' as const }),
    verbs: some.some(usesVerbs),
    patience: Math.max(...some.map(({ patience = 1 }) => patience)),
    invariant: some.map(({ invariant }) => invariant).join(),
  }
}

/** The tests of the file that have failed. */
async function runTest(folder: string, test: string): Promise<Ran> {
  const child = spawn(process.execPath, [join(folder, test)], { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] })
  let printed = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    printed += chunk
  })
  const [code] = await once(child, 'close')
  const failed = [...printed.matchAll(/^ *not ok \d+ - (.*)$/gm)].map(([, title = '']) => title)
  const violations = failed.length > 0 ? failed : [printed.slice(-300)]
  return { red: code === 0 ? [] : [{ invariant: 'test', violations }], unmet: [] }
}

type Run = Pick<Mutation, 'faults' | 'single' | 'engines' | 'fatal' | 'invariant' | 'patience' | 'verbs'>

const usesVerbs = ({ verbs, invariant }: Pick<Run, 'verbs' | 'invariant'>) =>
  verbs ?? invariant.split(',').includes('V')
const measuresCosts = ({ invariant }: Pick<Run, 'invariant'>) => invariant.split(',').includes('L')

async function runIn(folder: string, run: Run, options: readonly string[]): Promise<Ran> {
  const { faults, single = false, engines = single ? 'embedded' : 'networked', fatal, invariant, patience = 1 } = run
  const report = join(folder, 'report.json')
  const args = [
    ...['--engines', engines, ...(single ? ['--single'] : [])],
    ...['--generations', '40', '--settle', '20', '--patience', String(patience), '--report', report],
    // What shows nothing takes most of the time.
    ...[...(usesVerbs(run) ? [] : ['--no-verbs']), ...(measuresCosts(run) ? [] : ['--no-costs'])],
    ...options,
  ]
  const program = [join(folder, 'test/faults/harness/main.ts'), ...args, '--faults', faults.join(';')]
  const child = spawn(process.execPath, program, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
  let errors = ''
  child.stderr.on('data', (chunk) => {
    errors += chunk
  })
  await once(child, 'close')
  const result = await readFile(report, 'utf8').catch(() => undefined)
  if (result === undefined) {
    const [reason = ''] = /^Error: .*$/m.exec(errors) ?? []
    const violations = [`it does not work any more: ${reason}`]
    if (fatal && reason !== '') return { red: [{ invariant, violations }], unmet: [] }
    return { red: [], unmet: [], failure: reason || errors.trim().slice(-300) }
  }
  const { verdicts, faults: inflicted } = JSON.parse(result) as ReturnType<typeof summary>
  const unmet = inflicted.filter(({ met }) => !met).map(({ name, note = '' }) => `${name} ${note}`)
  return { red: verdicts.filter(({ violations }) => violations.length > 0), unmet }
}
