import { DatabaseSync } from 'node:sqlite'
import { readConfig } from '@platen/foundation/settings/config.ts'
import { readEventStoreUrl, sqlitePathOf } from '../../frame/open-services.ts'
import type { Check } from './finding.ts'

/** Longer than services hold the lock for a commit on a slow disk. */
const patienceMs = 3_000

/** Appends can fail while reads work, for example if another program has locked the SQLite file. */
export const appendsCheck: Check = {
  name: 'appends',
  needs: ['event store'],
  remedy:
    'end the program that holds the lock (fuser -v <file>), and see that the file may be written; nothing is lost',
  async check({ env }) {
    const path = sqlitePathOf(readConfig(env, readEventStoreUrl))
    if (path === undefined) return { found: 'not tried' }
    const database = new DatabaseSync(path, { timeout: patienceMs })
    try {
      database.exec('BEGIN IMMEDIATE; ROLLBACK')
      return { found: 'nothing else holds the lock for writing' }
    } catch (err) {
      throw new Error(`${path} takes no events: ${(err as Error).message}`, { cause: err })
    } finally {
      database.close()
    }
  },
}
