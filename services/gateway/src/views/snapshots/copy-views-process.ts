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
