import { open, readdir } from 'node:fs/promises'

/** The processes of a browser, measured once. */
export interface ProcessGroup {
  /**
   * Proportional set size of its processes (proc(5), smaps_rollup). A sandboxed process shows it only to root, and
   * counts with its private memory otherwise.
   */
  memoryBytes: number
  /** Ids of all. */
  pids: number[]
  /** Ids of processes that have exited and whose parent has not read their status. */
  defunct: number[]
}

const pageBytes = 4_096

/**
 * Measures a process and its descendants. Undefined without /proc. With the processes of an earlier measurement it is only looked
 * whether they run, which reads a tenth of the files: if all do, the earlier memory is returned.
 */
export async function measureProcesses(pid: number, known?: ProcessGroup): Promise<ProcessGroup | undefined> {
  if (known) {
    const states = await Promise.all(known.pids.map(stateOf))
    const isSame = states.every(
      (state, at) => (state === 'Z') === known.defunct.includes(known.pids[at] ?? 0) && state !== '',
    )
    if (isSame) return known
  }
  const group: ProcessGroup = { memoryBytes: 0, pids: [], defunct: [] }
  await measure(pid, group)
  return group.memoryBytes > 0 ? group : undefined
}

/** proc(5): `Z` is a defunct one. Empty if there is no such process. */
async function stateOf(pid: number): Promise<string> {
  const stat = await readProc(`${pid}/stat`).catch(() => '')
  // The name, in parentheses, may contain spaces and parentheses.
  return stat.charAt(stat.lastIndexOf(')') + 2)
}

async function measure(pid: number, group: ProcessGroup): Promise<void> {
  group.pids.push(pid)
  if ((await stateOf(pid)) === 'Z') group.defunct.push(pid)
  const bytes = (await proportionalSize(pid).catch(() => 0)) || (await privateSize(pid).catch(() => 0))
  group.memoryBytes += bytes
  await Promise.all((await childrenOf(pid)).map((child) => measure(child, group)))
}

/** Each thread has a list of the children that it has started. */
async function childrenOf(pid: number): Promise<number[]> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => [])
  const lists = threads.map((thread) => readProc(`${pid}/task/${thread}/children`).catch(() => ''))
  return (await Promise.all(lists)).join(' ').split(' ').filter(Boolean).map(Number)
}

async function proportionalSize(pid: number): Promise<number> {
  const [, kilobytes = 0] = /^Pss:\s+(\d+) kB/m.exec(await readProc(`${pid}/smaps_rollup`)) ?? []
  return Number(kilobytes) * 1_024
}

async function privateSize(pid: number): Promise<number> {
  const [, resident = 0, shared = 0] = (await readProc(`${pid}/statm`)).split(' ').map(Number)
  return (resident - shared) * pageBytes
}

/**
 * Some hundred files are read for each measurement. `readFile` takes 64 KiB for each, because their size is unknown, which
 * makes full garbage collections. One read returns a whole file: these are shorter than a page.
 */
async function readProc(path: string): Promise<string> {
  await using file = await open(`/proc/${path}`)
  const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(pageBytes))
  return buffer.toString('utf8', 0, bytesRead)
}
