import { readdir, readFile } from 'node:fs/promises'
import { until } from './until.ts'

export interface OtherProcess {
  pid: number
  command: string
}

/** A process as Linux shows it in /proc. */
export interface SeenProcess extends OtherProcess {
  parent: number
  group: number
  /** Ended, and nobody has asked how. */
  defunct: boolean
}

/** The living processes below `pid`. */
export async function descendantsOf(pid: number): Promise<OtherProcess[]> {
  return below(await livingProcesses(), pid).map(({ pid, command }) => ({ pid, command }))
}

/** Those of `all` that `parent` has started, and that they have. */
export function below(all: readonly SeenProcess[], parent: number): SeenProcess[] {
  return all.filter((one) => one.parent === parent).flatMap((one) => [one, ...below(all, one.pid)])
}

/** Those whose command line names `text`: a data folder, say. */
export async function processesNaming(text: string): Promise<OtherProcess[]> {
  return (await livingProcesses()).filter(({ command }) => command.includes(text))
}

/** Rejects, naming them, when some do not go. */
export async function untilGone(some: readonly OtherProcess[]): Promise<void> {
  const left = async () => {
    const alive = await livingProcesses()
    return some.filter(({ pid, command }) => alive.some((one) => one.pid === pid && one.command === command))
  }
  const gone = async () => (await left()).length === 0 || undefined
  await until(gone, async () => `still there: ${JSON.stringify(await left())}`)
}

async function livingProcesses(): Promise<SeenProcess[]> {
  return (await allProcesses()).filter(({ defunct }) => !defunct)
}

/** Those of the whole machine, defunct ones too. */
export async function allProcesses(): Promise<SeenProcess[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  const found = await Promise.all(pids.map((pid) => readProcess(pid).catch(() => undefined)))
  return found.filter((one) => one !== undefined)
}

async function readProcess(pid: number): Promise<SeenProcess | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
  // The name, in parentheses, may hold anything.
  const [state, parent, group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  // Gone, but for the moment that it is still listed.
  if (state === 'X') return undefined
  const command = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ').trim()
  return { pid, parent: Number(parent), group: Number(group), defunct: state === 'Z', command }
}
