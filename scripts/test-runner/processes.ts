import { readdirSync, readFileSync } from 'node:fs'

export interface RunningProcess {
  pid: number
  /** Its command line. */
  command: string
}

/** How processes are found: by a text in their environment, which children inherit, and as descendants. */
export interface Relation {
  variable?: string
  ancestor?: number | undefined
}

/**
 * Processes whose environment contains the variable, and all descendants of these and of the ancestor, including
 * detached ones and those whose parent has ended. None without /proc.
 */
export function relatedProcesses({ variable, ancestor }: Relation): RunningProcess[] {
  const all = readProcesses()
  const isNamed = (environment: readonly string[]) => variable !== undefined && environment.includes(variable)
  const related = new Set(all.filter(({ environment }) => isNamed(environment)).map(({ pid }) => pid))
  if (ancestor !== undefined) related.add(ancestor)
  // A process can be listed before its parent: once more, until no descendant is added.
  for (let before = -1; before !== related.size; ) {
    before = related.size
    for (const { pid, parent } of all) if (related.has(parent)) related.add(pid)
  }
  related.delete(process.pid)
  return all.filter(({ pid }) => related.has(pid)).map(({ pid, command }) => ({ pid, command }))
}

/** Milliseconds of processor time of a process and of its children that have ended: proc_pid_stat(5), 14 to 17. */
export function cpuTime(pid: number | undefined): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    // A tick is a hundredth of a second on Linux.
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) * 10, 0)
  } catch {
    return 0
  }
}

export function killAll(processes: readonly RunningProcess[]): void {
  for (const { pid } of processes) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // The process has ended in the meantime.
    }
  }
}

function readProcesses() {
  return pids().flatMap((pid) => {
    try {
      const read = (name: string) => readFileSync(`/proc/${pid}/${name}`, 'utf8')
      // The name of the program, in brackets, may contain spaces.
      const [state = '', parent] = read('stat')
        .replace(/^.*\) /s, '')
        .split(' ')
      if ('ZX'.includes(state)) return []
      const command = read('cmdline').replaceAll('\0', ' ').trim()
      return [{ pid, parent: Number(parent), command, environment: read('environ').split('\0') }]
    } catch {
      // The process has ended, or belongs to another user.
      return []
    }
  })
}

function pids(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Boolean)
  } catch {
    return []
  }
}
