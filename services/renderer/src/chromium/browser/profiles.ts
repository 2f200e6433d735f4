import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { processStat } from '@platen/foundation/runtime/process-stat.ts'

/** The folder of this process's browser profiles. */
export interface Profiles extends AsyncDisposable {
  folder: string
}

/** Process ids are unique on one host only, and a container's name is kept when it is restarted. */
const prefix = `platen-browsers-${hostname()}-`

/**
 * Creates a folder for profiles, and removes the folders of killed processes of this host. The name of a folder has the
 * id and the start time of its process, because ids are reused.
 */
export async function openProfiles(parent = tmpdir()): Promise<Profiles> {
  await mkdir(parent, { recursive: true })
  await removeStale(parent)
  const startedAt = startTimeOf(process.pid)
  const folder = await mkdtemp(join(parent, `${prefix}${process.pid}-${startedAt ?? 'unknown'}-`))
  return { folder, [Symbol.asyncDispose]: () => remove(folder) }
}

async function removeStale(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const [, pid, startedAt] = name.startsWith(prefix) ? (owner.exec(name.slice(prefix.length)) ?? []) : []
    if (pid !== undefined && startTimeOf(Number(pid)) !== startedAt) await remove(join(parent, name))
  }
}

/** Folders without a start time, made without /proc, are never removed. */
const owner = /^(\d+)-(\d+)-\w+$/

/** Start time of a process in clock ticks since boot (proc(5)). Undefined if it does not exist, or without /proc. */
const startTimeOf = (pid: number): string | undefined => processStat(pid)[19]

const remove = (folder: string) => rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => {})
