import { constants, setPriority } from 'node:os'
import { DatabaseSync } from 'node:sqlite'

const [path = ''] = process.argv.slice(2)
setPriority(constants.priority.PRIORITY_LOW)
const db = new DatabaseSync(path)
db.exec('PRAGMA wal_checkpoint(PASSIVE)')
db.close()
