import { readdir, readFile } from 'node:fs/promises'

export interface ProcessGroup {
  /**
   * What its processes hold together: their proportional set size (proc(5), smaps_rollup), of those that do not let it
   * be read what they hold alone.
   */
  memoryBytes: number
  /** Process ids of those that have ended and that nobody has asked how. */
  defunct: number[]
}

const pageBytes = 4_096

/** Undefined where there is no /proc. */
export async function lookAtGroup(groupId: number): Promise<ProcessGroup | undefined> {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name))
  const looks = await Promise.all(pids.map((pid) => lookAtMember(pid, groupId).catch(() => undefined)))
  const members = looks.filter((member) => member !== undefined)
  if (members.length === 0) return undefined
  return {
    memoryBytes: members.reduce((sum, { bytes }) => sum + bytes, 0),
    defunct: members.filter(({ state }) => state === 'Z').map(({ pid }) => pid),
  }
}

async function lookAtMember(pid: string, groupId: number) {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
  // The name, in parentheses, may hold anything.
  const [state, , group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  if (Number(group) !== groupId) return undefined
  // A sandboxed process may show the first to nobody but root.
  const bytes = state === 'Z' ? 0 : (await proportionalSize(pid).catch(() => 0)) || (await privateSize(pid))
  return { pid: Number(pid), state, bytes }
}

async function proportionalSize(pid: string): Promise<number> {
  const [, kilobytes = 0] = /^Pss:\s+(\d+) kB/m.exec(await readFile(`/proc/${pid}/smaps_rollup`, 'utf8')) ?? []
  return Number(kilobytes) * 1_024
}

async function privateSize(pid: string): Promise<number> {
  const [, resident = 0, shared = 0] = (await readFile(`/proc/${pid}/statm`, 'utf8')).split(' ').map(Number)
  return (resident - shared) * pageBytes
}
