import { readFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { cpuMsBetween, processTree } from './process-tree.ts'

/** USER_HZ, see proc(5). */
const msPerTick = 10

/** Call it at the end: the share of the processor time of all cores that was used outside of this process and its children. */
export function watchOthers(): () => number {
  const look = () => ({ atMs: performance.now(), busyMs: busyMs(), own: processTree([process.pid]) })
  const before = look()
  return () => {
    const after = look()
    const others = after.busyMs - before.busyMs - cpuMsBetween(before.own, after.own)
    // All cores, also if this process may run on some of them only.
    return Math.max(0, others) / ((after.atMs - before.atMs) * cpus().length)
  }
}

/** Processor time of all programs, and what a hypervisor gave to other machines. */
function busyMs(): number {
  const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n')
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = line
    .trim()
    .split(/\s+/)
    .slice(1)
    .map(Number)
  return (user + nice + system + irq + softirq + steal) * msPerTick
}
