import { constants, setPriority } from 'node:os'
import { DatabaseSync } from 'node:sqlite'

const [from = '', to = ''] = process.argv.slice(2)
setPriority(constants.priority.PRIORITY_LOW)
const db = new DatabaseSync(from, { readOnly: true, timeout: 5_000 })
try {
  db.prepare('VACUUM INTO ?').run(to)
} finally {
  db.close()
}
// A gateway that loads the copy would otherwise wait for its flush when SQLite changes its header.
const copy = new DatabaseSync(to)
copy.exec('PRAGMA journal_mode = WAL')
copy.close()
