import { existsSync, lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FileLocked, lockFile } from '@platen/foundation/runtime/file-lock.ts'

const prefix = 'platen-backup-'
const lockName = 'lock.db'
/** Between its creation and its lock a folder is not locked. */
const newForMs = 60_000

export interface ScratchFolder extends Disposable {
  path: string
}

/** The longest wait for the lock of a new folder. A process that holds it is about to remove the folder. */
const lockTimeoutMs = 1_000

/**
 * Creates a folder in the folder of temporary files, and removes it on disposal. Folders of killed processes are
 * removed first.
 */
export function openScratchFolder(): ScratchFolder {
  removeLeft()
  const path = mkdtempSync(join(tmpdir(), prefix))
  const lock = lockFile(join(path, lockName), 'exclusive', { timeoutMs: lockTimeoutMs })
  if (!existsSync(path)) {
    // Another process took it for one that was left, before it was locked.
    lock[Symbol.dispose]()
    return openScratchFolder()
  }
  return {
    path,
    [Symbol.dispose]() {
      lock[Symbol.dispose]()
      rmSync(path, { recursive: true, force: true })
    },
  }
}

function removeLeft(): void {
  for (const name of readdirSync(tmpdir())) if (name.startsWith(prefix)) removeIfLeft(join(tmpdir(), name))
}

/**
 * Removes the path if it is a folder of this user that nobody uses. Links, which every user can create there, are not
 * followed.
 */
function removeIfLeft(path: string): void {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  if (!stat?.isDirectory() || stat.uid !== process.getuid?.()) return
  const remove = () => rmSync(path, { recursive: true, force: true })
  const lock = join(path, lockName)
  if (lstatSync(lock, { throwIfNoEntry: false }) === undefined) {
    if (Date.now() - stat.mtimeMs > newForMs) remove()
    return
  }
  try {
    using _lock = lockFile(lock, 'exclusive')
    remove()
  } catch (err) {
    if (!(err instanceof FileLocked)) throw err
  }
}
