import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A control group that limits the memory of the processes in it: https://docs.kernel.org/admin-guide/cgroup-v1/memory.html, cgroup-v2.html */
export interface MemoryCgroup extends Disposable {
  /** A process that writes its id there is in the group, and so are those that it starts. */
  processesFile: string
  peakMb(): number
  /** Processes that were killed because the group had no memory left. */
  kills(): number
}

const v1 = {
  root: '/sys/fs/cgroup/memory',
  limit: 'memory.limit_in_bytes',
  peak: 'memory.max_usage_in_bytes',
  events: 'memory.oom_control',
}
const v2 = { root: '/sys/fs/cgroup', limit: 'memory.max', peak: 'memory.peak', events: 'memory.events' }

/** Undefined where this user may not make one. */
export function openMemoryCgroup(limitMb: number): MemoryCgroup | undefined {
  const { root, limit, peak, events } = existsSync(join(v1.root, v1.limit)) ? v1 : v2
  const folder = join(root, `platen-test-${process.pid}`)
  const read = (file: string) => readFileSync(join(folder, file), 'utf8')
  try {
    mkdirSync(folder)
    writeFileSync(join(folder, limit), String(limitMb * 2 ** 20))
  } catch {
    return undefined
  }
  return {
    processesFile: join(folder, 'cgroup.procs'),
    peakMb: () => Number(read(peak)) / 2 ** 20,
    kills: () => Number(/^oom_kill (\d+)/m.exec(read(events))?.[1] ?? 0),
    [Symbol.dispose]: () => rmdirSync(folder),
  }
}
