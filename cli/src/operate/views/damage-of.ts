import { DatabaseSync } from 'node:sqlite'
import { isDamage } from '@platen/service-kit/projections/damaged-view.ts'

/** What SQLite finds wrong in a file of views, apart from its rows: damaged pages, indexes that lack rows, no tables. */
export function damageOf(path: string): string[] {
  const db = new DatabaseSync(path, { readOnly: true })
  try {
    const found = db
      .prepare('PRAGMA integrity_check(20)')
      .all()
      .map(({ integrity_check }) => String(integrity_check))
      .filter((line) => line !== 'ok')
    const table = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name = 'checkpoint'").get()
    return found.length > 0 || table ? found : ['it has no tables']
  } catch (err) {
    if (err instanceof Error && isDamage(err)) return [err.message]
    throw err
  } finally {
    db.close()
  }
}
