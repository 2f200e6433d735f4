import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isLocked } from '@platen/foundation/runtime/file-lock.ts'

/** Whether `npm start` runs with this folder. */
export function isInUse(dataDir: string): boolean {
  const path = join(dataDir, 'lock.db')
  return existsSync(path) && isLocked(path)
}
