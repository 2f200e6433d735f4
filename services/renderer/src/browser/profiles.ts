import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** The folder of this process's browser profiles. */
export interface Profiles extends AsyncDisposable {
  folder: string
}

const prefix = 'platen-browsers-'
const lockName = 'lock.db'
/** Whoever has just made one may not have locked it yet. */
const youngMs = 60_000

/**
 * Makes a folder for profiles, and removes those whose owners were killed: the system lets go of a lock however its
 * holder ends, so that no living process is taken for dead, not even one in another container with the same folder.
 */
export async function openProfiles(parent = tmpdir()): Promise<Profiles> {
  await removeStale(parent)
  await mkdir(parent, { recursive: true })
  const folder = await mkdtemp(join(parent, prefix))
  const lock = lockFolder(folder)
  return {
    folder,
    async [Symbol.asyncDispose]() {
      lock.close()
      await remove(folder)
    },
  }
}

async function removeStale(parent: string): Promise<void> {
  const names = await readdir(parent).catch(() => [])
  for (const name of names.filter((name) => name.startsWith(prefix))) await removeIfStale(join(parent, name))
}

async function removeIfStale(folder: string): Promise<void> {
  const file = await stat(join(folder, lockName)).catch(() => undefined)
  if (file === undefined || Date.now() - file.mtimeMs < youngMs) return
  try {
    lockFolder(folder).close()
  } catch {
    // Somebody's, or another user's.
    return
  }
  await remove(folder)
}

function lockFolder(folder: string): DatabaseSync {
  const lock = new DatabaseSync(join(folder, lockName))
  try {
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
    return lock
  } catch (err) {
    lock.close()
    throw err
  }
}

const remove = (folder: string) => rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => {})
