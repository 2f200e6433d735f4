import { cpus } from 'node:os'

function usage() {
  const times = cpus().map(({ times }) => times)
  const idle = times.reduce((sum, one) => sum + one.idle, 0)
  const all = times.reduce((sum, one) => sum + one.user + one.nice + one.sys + one.irq + one.idle, 0)
  return { idle, all }
}

/** Returns a function: which part of the time of all processors was used since, by whatever ran on this machine. */
export function openBusyMeter(): () => number {
  const from = usage()
  return () => {
    const { idle, all } = usage()
    return 1 - (idle - from.idle) / Math.max(1, all - from.all)
  }
}
