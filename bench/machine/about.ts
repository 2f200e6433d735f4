import { execFileSync } from 'node:child_process'
import { availableParallelism, cpus, loadavg, release, totalmem } from 'node:os'

export interface Machine {
  cpu: string
  cores: number
  memoryGb: number
  kernel: string
  node: string
  chromium: string
  startedAt: string
  /** Load average of the minute before the run, from other processes. */
  loadBefore: number
}

export function aboutThisMachine(chromiumPath: string): Machine {
  return {
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    memoryGb: Math.round(totalmem() / 2 ** 30),
    kernel: release(),
    node: process.version,
    chromium: execFileSync(chromiumPath, ['--version'], { encoding: 'utf8' }).trim().split('\n').at(-1) ?? 'unknown',
    startedAt: new Date().toISOString(),
    loadBefore: loadavg()[0] ?? 0,
  }
}
