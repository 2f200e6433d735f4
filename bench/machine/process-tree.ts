import { readFileSync } from 'node:fs'
import { allProcesses, below, readProcess, type SeenProcess } from '../../test/support/processes.ts'

/** Processor time that these processes and their descendants have used so far. */
export function treeCpuMs(roots: readonly number[]): number {
  return tree(roots).reduce((sum, { cpuMs }) => sum + cpuMs, 0)
}

/** Processor time of this process and of its exited children. */
export function ownCpuMs(): number {
  return readProcess(process.pid)?.cpuMs ?? 0
}

/** The proportional set size of these processes and their descendants: shared pages count once in the sum. */
export function treePssMb(roots: readonly number[]): number {
  return tree(roots).reduce((sum, { pid }) => sum + pssKb(pid), 0) / 1_024
}

function tree(roots: readonly number[]): SeenProcess[] {
  const all = allProcesses()
  return all.filter(({ pid }) => roots.includes(pid)).flatMap((root) => [root, ...below(all, root.pid)])
}

function pssKb(pid: number): number {
  try {
    return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0)
  } catch {
    return 0
  }
}
