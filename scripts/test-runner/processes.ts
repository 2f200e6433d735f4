import { readdirSync, readFileSync } from 'node:fs'

export interface RunningProcess {
  pid: number
  /** Its command line. */
  command: string
}

/**
 * Processes whose environment contains this text, which children inherit, and their descendants, including detached
 * ones and those whose parent has ended. None without /proc.
 */
export function processesWith(variable: string): RunningProcess[] {
  const all = readProcesses()
  const found = new Set(all.filter(({ environment }) => environment.includes(variable)).map(({ pid }) => pid))
  // A process can be listed before its parent: once more, until no descendant is added.
  for (let before = -1; before !== found.size; ) {
    before = found.size
    for (const { pid, parent } of all) if (found.has(parent)) found.add(pid)
  }
  found.delete(process.pid)
  return all.filter(({ pid }) => found.has(pid)).map(({ pid, command }) => ({ pid, command }))
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
