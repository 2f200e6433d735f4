import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** Whether `npm start` runs with this folder. */
export function isInUse(dataDir: string): boolean {
  const path = join(dataDir, 'lock.db')
  if (!existsSync(path)) return false
  const lock = new DatabaseSync(path, { timeout: 0 })
  try {
    lock.exec('BEGIN EXCLUSIVE; ROLLBACK')
    return false
  } catch {
    return true
  } finally {
    lock.close()
  }
}
