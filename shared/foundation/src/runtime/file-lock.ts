import { chownSync, existsSync, readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** Another process has the file locked. */
export class FileLocked extends Error {
  override readonly name = 'FileLocked'
  /** Describes the holder, as far as this machine knows: `process 4711 (node …)`. */
  readonly holder: string

  constructor(path: string, holder: string) {
    super(`${path} is locked by ${holder}`)
    this.holder = holder
  }
}

const sqliteBusy = 5

/**
 * Keeps databases referenced: garbage collection would close one, and end its lock, if the caller does not keep the
 * result of lockFile.
 */
const held = new Set<DatabaseSync>()

interface LockOptions {
  timeoutMs?: number
  /** The file or folder whose owner gets a file that root creates. Default: its folder. */
  ownedAs?: string
}

/**
 * Locks a file, which it creates, until disposal or the end of the process. Several may hold it `shared`, or one
 * `exclusive`. The lock is that of an empty SQLite database, because Node.js cannot lock files. Waits up to
 * `timeoutMs`, and blocks the event loop meanwhile. Throws FileLocked.
 */
export function lockFile(
  path: string,
  kind: 'shared' | 'exclusive',
  { timeoutMs = 0, ownedAs = dirname(path) }: LockOptions = {},
): Disposable {
  const isNew = !existsSync(path)
  const database = new DatabaseSync(path, { timeout: timeoutMs })
  try {
    if (kind === 'exclusive') database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
    // The transaction stays open, and with it the lock that its first read takes.
    else database.exec('BEGIN; SELECT count(*) FROM sqlite_schema')
    if (isNew) giveToOwner(path, ownedAs)
    held.add(database)
    return {
      [Symbol.dispose]() {
        held.delete(database)
        database.close()
      },
    }
  } catch (err) {
    database.close()
    if ((err as { errcode?: unknown }).errcode === sqliteBusy) throw new FileLocked(path, holderOf(path))
    throw err
  }
}

/** Whether another process, or this one, has the file locked. A file that does not exist is created. */
export function isLocked(path: string): boolean {
  try {
    lockFile(path, 'exclusive')[Symbol.dispose]()
    return false
  } catch (err) {
    if (err instanceof FileLocked) return true
    throw err
  }
}

/** A command of root must not lock out the user of the services. SQLite does the same for its own files. */
function giveToOwner(path: string, ownedAs: string): void {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = statSync(ownedAs)
  chownSync(path, uid, gid)
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
    // Either this is not Linux, or the process has just ended.
  }
  return 'another process'
}
