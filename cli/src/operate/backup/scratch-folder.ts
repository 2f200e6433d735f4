import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isLocked, lockFile } from '@platen/foundation/runtime/file-lock.ts'

const prefix = 'platen-backup-'
const lockName = 'lock.db'
/** Between its creation and its lock a folder is not locked. */
const newForMs = 60_000

export interface ScratchFolder extends Disposable {
  path: string
}

/** A folder in that of temporary files, which is removed with disposal. Those that killed processes have left are removed before. */
export function openScratchFolder(): ScratchFolder {
  removeLeft()
  const path = mkdtempSync(join(tmpdir(), prefix))
  const lock = lockFile(join(path, lockName), 'exclusive')
  return {
    path,
    [Symbol.dispose]() {
      lock[Symbol.dispose]()
      rmSync(path, { recursive: true, force: true })
    },
  }
}

function removeLeft(): void {
  for (const name of readdirSync(tmpdir())) {
    const path = join(tmpdir(), name)
    if (name.startsWith(prefix) && isLeft(path)) rmSync(path, { recursive: true, force: true })
  }
}

/** Whether it is of this user, and nobody uses it. */
function isLeft(path: string): boolean {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (!stat?.isDirectory() || stat.uid !== process.getuid?.()) return false
  const lock = join(path, lockName)
  if (statSync(lock, { throwIfNoEntry: false }) === undefined) return Date.now() - stat.mtimeMs > newForMs
  return !isLocked(lock)
}
