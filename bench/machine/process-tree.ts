import { readdirSync, readFileSync } from 'node:fs'

/** Linux counts processor time in hundredths of a second (USER_HZ), in proc(5). */
const msPerTick = 10

interface Process {
  pid: number
  parent: number
  /** Its own and that of its children that ended: what a process used stays in the sum when it goes. */
  cpuMs: number
}

/** Processor time that these processes and all below them have used so far. */
export function treeCpuMs(roots: readonly number[]): number {
  return tree(roots).reduce((sum, { cpuMs }) => sum + cpuMs, 0)
}

/** This process's own, with that of its children that have ended. */
export function ownCpuMs(): number {
  return readProcess(process.pid)?.cpuMs ?? 0
}

/** Their proportional set size: pages shared by several count once in the sum. */
export function treePssMb(roots: readonly number[]): number {
  return tree(roots).reduce((sum, { pid }) => sum + pssKb(pid), 0) / 1_024
}

function tree(roots: readonly number[]): Process[] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => readProcess(Number(name)))
    .filter((found) => found !== undefined)
  const below = (root: Process): Process[] => [root, ...all.filter(({ parent }) => parent === root.pid).flatMap(below)]
  return all.filter(({ pid }) => roots.includes(pid)).flatMap(below)
}

function readProcess(pid: number): Process | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name, in parentheses, may hold anything.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
    return { pid, parent: Number(fields[1]), cpuMs: ticks * msPerTick }
  } catch {
    return undefined
  }
}

function pssKb(pid: number): number {
  try {
    return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0)
  } catch {
    return 0
  }
}
