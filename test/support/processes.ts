import { readdirSync, readFileSync } from 'node:fs'
import { msPerTick, processStat } from '@platen/foundation/runtime/process-stat.ts'
import { until } from './until.ts'

export interface OtherProcess {
  pid: number
  command: string
}

/** A process as Linux shows it in /proc. */
export interface SeenProcess extends OtherProcess {
  parent: number
  group: number
  /** The process has exited, and its parent has not read its status. */
  defunct: boolean
  /** Processor time of the process and of its exited children. */
  cpuMs: number
}

/** The running processes below `pid`. */
export async function descendantsOf(pid: number): Promise<OtherProcess[]> {
  return below(livingProcesses(), pid).map(({ pid, command }) => ({ pid, command }))
}

/** The processes in `all` that `parent` or its descendants have started. */
export function below(all: readonly SeenProcess[], parent: number): SeenProcess[] {
  return all.filter((one) => one.parent === parent).flatMap((one) => [one, ...below(all, one.pid)])
}

/** The running processes whose command line contains `text`, for example a data folder. */
export async function processesNaming(text: string): Promise<OtherProcess[]> {
  return livingProcesses().filter(({ command }) => command.includes(text))
}

/** Resolves when all these processes have exited. After two minutes, rejects with the running ones. */
export async function untilGone(some: readonly OtherProcess[]): Promise<void> {
  const left = () => {
    const alive = livingProcesses()
    return some.filter(({ pid, command }) => alive.some((one) => one.pid === pid && one.command === command))
  }
  await until(
    () => left().length === 0 || undefined,
    () => `still running: ${JSON.stringify(left())}`,
  )
}

function livingProcesses(): SeenProcess[] {
  return allProcesses().filter(({ defunct }) => !defunct)
}

/** All processes of the machine, including defunct ones. */
export function allProcesses(): SeenProcess[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.map((pid) => readProcess(Number(pid))).filter((one) => one !== undefined)
}

/** Undefined if the process does not exist. */
export function readProcess(pid: number): SeenProcess | undefined {
  try {
    const fields = processStat(pid)
    const [state, parent, group] = fields
    // X: dead, listed for a moment only.
    if (state === undefined || state === 'X') return undefined
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
    const cpuMs = ticks * msPerTick
    return { pid, parent: Number(parent), group: Number(group), defunct: state === 'Z', command, cpuMs }
  } catch {
    return undefined
  }
}
