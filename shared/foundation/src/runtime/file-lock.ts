import { readFileSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

/** Another process has the file locked. */
export class FileLocked extends Error {
  override readonly name = 'FileLocked'
  /** Who it is, as far as this machine tells: `process 4711 (node …)`. */
  readonly holder: string

  constructor(path: string, holder: string) {
    super(`${path} is locked by ${holder}`)
    this.holder = holder
  }
}

const sqliteBusy = 5

/**
 * Locks a file, which is created, until disposal or the end of the process, however it ends. Several may hold it `shared`, or one
 * `exclusive`. The lock is that of an empty SQLite database, as Node.js cannot lock files. Waits up to `timeoutMs`, in which it
 * blocks the event loop. Throws FileLocked.
 */
export function lockFile(path: string, kind: 'shared' | 'exclusive', { timeoutMs = 0 } = {}): Disposable {
  const database = new DatabaseSync(path, { timeout: timeoutMs })
  try {
    if (kind === 'exclusive') database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
    // The transaction stays open, and with it the lock that its first read takes.
    else database.exec('BEGIN; SELECT count(*) FROM sqlite_schema')
    return { [Symbol.dispose]: () => database.close() }
  } catch (err) {
    database.close()
    if ((err as { errcode?: unknown }).errcode === sqliteBusy) throw new FileLocked(path, holderOf(path))
    throw err
  }
}

/** From the kernel's list of locks. It has no processes of other containers. */
function holderOf(path: string): string {
  try {
    const { ino } = statSync(path)
    for (const line of readFileSync('/proc/locks', 'utf8').split('\n')) {
      const [, pid, device, inode] = /^\d+: POSIX +\S+ +\S+ +(\d+) (\S+:\S+):(\d+) /.exec(line) ?? []
      if (device === undefined || Number(inode) !== ino || pid === '0') continue
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').join(' ').trim()
      return `process ${pid} (${command.slice(0, 200)})`
    }
  } catch {
    // Not Linux, or the process has just ended.
  }
  return 'another process'
}
