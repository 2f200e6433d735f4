import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { freemem } from 'node:os'
import { posix } from 'node:path'

/** A control group with a limit of memory: https://docs.kernel.org/admin-guide/cgroup-v2.html, cgroup-v1/memory.html */
interface LimitedGroup {
  folder: string
  limitBytes: number
  files: typeof v1
}

const v1 = {
  root: '/sys/fs/cgroup/memory',
  line: /^\d+:(?:[^:]*,)?memory(?:,[^:]*)?:(.*)$/m,
  limit: 'memory.limit_in_bytes',
  usage: 'memory.usage_in_bytes',
  /** What files hold, which the kernel gives back. */
  cached: /^total_(?:in)?active_file (\d+)$/gm,
}
const v2 = {
  root: '/sys/fs/cgroup',
  line: /^0::(.*)$/m,
  limit: 'memory.max',
  usage: 'memory.current',
  cached: /^(?:in)?active_file (\d+)$/gm,
}

const mib = 2 ** 20
/** Where there is no limit, version 1 says a number of this size. */
const noLimitBytes = 2 ** 60
/** Less than this, or a sixteenth of the limit, is too little for what is not expected. */
const shortBytes = 64 * mib

let limited: LimitedGroup | undefined | null = null

/** The group with the smallest limit among those that this process is in. */
function limitedGroup(): LimitedGroup | undefined {
  if (limited === null) limited = findGroup()
  return limited
}

function findGroup(): LimitedGroup | undefined {
  const groups = textOf('/proc/self/cgroup')
  let smallest: LimitedGroup | undefined
  for (const files of [v1, v2]) {
    const path = files.line.exec(groups)?.[1]
    // In a container the path may be that of the host. What the container sees of it is the root.
    for (let folder = path; folder !== undefined; folder = folder === '/' ? undefined : posix.dirname(folder)) {
      const limitBytes = Number(textOf(posix.join(files.root, folder, files.limit)) || Number.NaN)
      if (limitBytes < (smallest?.limitBytes ?? noLimitBytes)) {
        smallest = { folder: posix.join(files.root, folder), limitBytes, files }
      }
    }
  }
  return smallest
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** The limit of the memory of this process and its neighbours, in MiB. Infinite without a control group that has one. */
export function groupLimitMb(): number {
  return (limitedGroup()?.limitBytes ?? Number.POSITIVE_INFINITY) / mib
}

/** Whether the control group, or the machine, has so little memory left that the kernel may soon end a process. */
export async function isMemoryShort(): Promise<boolean> {
  if (freemem() < shortBytes) return true
  const group = limitedGroup()
  if (!group) return false
  const { folder, limitBytes, files } = group
  const read = (file: string) => readFile(posix.join(folder, file), 'utf8').catch(() => '')
  const [usage, stat] = await Promise.all([read(files.usage), read('memory.stat')])
  const cached = [...stat.matchAll(files.cached)].reduce((sum, [, bytes]) => sum + Number(bytes), 0)
  return limitBytes - (Number(usage) - cached) < Math.min(shortBytes, limitBytes / 16)
}
