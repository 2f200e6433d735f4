import { accessSync, constants } from 'node:fs'
import { join } from 'node:path'
import { FileLocked, lockFile } from '@platen/foundation/runtime/file-lock.ts'

/** A backup writes to its folder alone; several may read it. Throws if another process has it. */
export function lockBackup(folder: string, kind: 'shared' | 'exclusive'): Disposable {
  // A copy on a medium that cannot be written.
  if (kind === 'shared' && !isWritable(folder)) return { [Symbol.dispose]() {} }
  try {
    return lockFile(join(folder, 'lock.db'), kind)
  } catch (err) {
    if (!(err instanceof FileLocked)) throw err
    throw new Error(`${err.holder} uses the backup in ${folder}; wait until it has ended`, { cause: err })
  }
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}
