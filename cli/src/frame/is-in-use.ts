import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { FileLocked, lockFile } from '@platen/foundation/runtime/file-lock.ts'

/** Whether `npm start` runs with this folder. */
export function isInUse(dataDir: string): boolean {
  const path = join(dataDir, 'lock.db')
  if (!existsSync(path)) return false
  try {
    lockFile(path, 'exclusive')[Symbol.dispose]()
    return false
  } catch (err) {
    if (err instanceof FileLocked) return true
    throw err
  }
}
