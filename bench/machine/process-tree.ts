import { readFileSync } from 'node:fs'
import { allProcesses, below, readProcess, type SeenProcess } from '../../test/support/processes.ts'

/** These processes and their descendants. */
export function processTree(roots: readonly number[]): SeenProcess[] {
  const all = allProcesses()
  return all.filter(({ pid }) => roots.includes(pid)).flatMap((root) => [root, ...below(all, root.pid)])
}

type ProcessCpu = Pick<SeenProcess, 'pid' | 'parent' | 'cpuMs'>

/**
 * Processor time of a process tree between two measurements. Linux adds the time of an exited process to the parent
 * that waited for it, so the time that the process had used before the first measurement is subtracted. If its parent
 * exited first, its time is in no process of the tree, and nothing is subtracted.
 */
export function cpuMsBetween(before: readonly ProcessCpu[], after: readonly ProcessCpu[]): number {
  const earlier = new Map(before.map((one) => [one.pid, one]))
  const usedMs = new Map(after.map(({ pid, cpuMs }) => [pid, Math.max(0, cpuMs - (earlier.get(pid)?.cpuMs ?? 0))]))
  const exited = before.filter(({ pid }) => !usedMs.has(pid)).sort((one, other) => other.cpuMs - one.cpuMs)
  for (const { parent, cpuMs } of exited) {
    let ancestor = parent
    while (!usedMs.has(ancestor) && earlier.has(ancestor)) ancestor = earlier.get(ancestor)?.parent ?? 0
    const inAncestor = usedMs.get(ancestor) ?? 0
    if (inAncestor >= cpuMs) usedMs.set(ancestor, inAncestor - cpuMs)
  }
  return usedMs.values().reduce((sum, ms) => sum + ms, 0)
}

/** Processor time of this process and of its exited children. */
export function ownCpuMs(): number {
  return readProcess(process.pid)?.cpuMs ?? 0
}

/** The proportional set size of these processes and their descendants: shared pages count once in the sum. */
export function treePssMb(roots: readonly number[]): number {
  return processTree(roots).reduce((sum, { pid }) => sum + pssMb(pid), 0)
}

/** Proportional memory of one process; 0 if it has exited. */
export function pssMb(pid: number): number {
  try {
    return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0) / 1_024
  } catch {
    return 0
  }
}
