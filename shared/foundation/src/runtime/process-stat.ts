import { readFileSync } from 'node:fs'

/** USER_HZ, see proc(5): Linux counts processor time in hundredths of a second, on all architectures. */
export const msPerTick = 10

/**
 * The fields of /proc/<pid>/stat from the state on: field 3 of proc_pid_stat(5) is the first. None if the process does not exist,
 * and without /proc.
 */
export function processStat(pid: number | undefined): string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name, in parentheses, may contain spaces and parentheses.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    return []
  }
}
