import { readdir, readFile } from 'node:fs/promises'
import { until } from './until.ts'

export interface OtherProcess {
  pid: number
  command: string
}

/** The living processes below `pid`, as Linux shows them in /proc. */
export async function descendantsOf(pid: number): Promise<OtherProcess[]> {
  const all = await processes()
  const below = (parent: number): OtherProcess[] =>
    all.filter((one) => one.parent === parent).flatMap((one) => [one, ...below(one.pid)])
  return below(pid).map(({ pid, command }) => ({ pid, command }))
}

/** Those whose command line names `text`: a data folder, say. */
export async function processesNaming(text: string): Promise<OtherProcess[]> {
  return (await processes()).filter(({ command }) => command.includes(text))
}

/** Rejects, naming them, when some do not go. */
export async function untilGone(some: readonly OtherProcess[]): Promise<void> {
  const left = async () => {
    const alive = await processes()
    return some.filter(({ pid, command }) => alive.some((one) => one.pid === pid && one.command === command))
  }
  const gone = async () => (await left()).length === 0 || undefined
  await until(gone, async () => `still there: ${JSON.stringify(await left())}`)
}

async function processes(): Promise<(OtherProcess & { parent: number })[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  const found = await Promise.all(pids.map((pid) => readProcess(pid).catch(() => undefined)))
  return found.filter((one) => one !== undefined)
}

/** Undefined for a zombie: it has ended, its parent has not looked yet. */
async function readProcess(pid: number) {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
  // The name, in parentheses, may hold anything.
  const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  if (state === 'Z' || state === 'X') return undefined
  const command = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ').trim()
  return { pid, parent: Number(parent), command }
}
