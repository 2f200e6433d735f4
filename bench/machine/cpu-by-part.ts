import { cpuMsBetween, processTree } from './process-tree.ts'

/** The programs that a running Platen consists of. */
export const parts = ['Node.js', 'nats-server', 'Chromium'] as const
export type Part = (typeof parts)[number]
export type CpuByPart = Record<Part, number>

export interface CpuClock {
  /** Milliseconds of processor time since the last call, or since the clock was made. */
  lap(): CpuByPart
}

/** Measures the processor time of a Platen with all its child processes. `root` is its Node.js process. */
export function cpuClock(root: number): CpuClock {
  const look = () => Map.groupBy(processTree([root]), ({ pid, command }) => partOf(pid === root, command))
  let before = look()
  return {
    lap() {
      const after = look()
      const used = parts.map((part) => [part, cpuMsBetween(before.get(part) ?? [], after.get(part) ?? [])] as const)
      before = after
      return Object.fromEntries(used) as CpuByPart
    },
  }
}

function partOf(isRoot: boolean, command: string): Part {
  if (isRoot) return 'Node.js'
  return /nats-server/.test(command) ? 'nats-server' : 'Chromium'
}

export const sumOf = (used: CpuByPart): number => parts.reduce((sum, part) => sum + used[part], 0)
