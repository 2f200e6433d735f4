import { existsSync, lstatSync, readlinkSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { FileLocked, lockFile } from '@platen/foundation/runtime/file-lock.ts'

// A process that has the event store open holds its lock `shared`; a process that replaces the file holds it
// `exclusive`, as others would continue to write to the replaced file. The lock is a separate file, which is never
// replaced.

/** A start waits as long for SQLite. */
const startTimeoutMs = 5_000

/** The file itself, if the path is a link, also while there is none. */
export function storeFile(path: string): string {
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false
  return isLink ? storeFile(resolve(dirname(path), readlinkSync(path))) : path
}

/** A marker file beside the event store while it is replaced. It remains if the process is killed. */
export const replacementFile = (path: string): string => `${storeFile(path)}.restoring`

/**
 * The folder where a restore writes files that will be renamed to `path`. It is beside `path`, and so on the same file
 * system.
 */
export const stagingFolder = (path: string): string => join(dirname(path), 'restore.new')

/** To be held while the event store is open. Throws while it is replaced, and if that was interrupted. */
export function shareStore(path: string): Disposable {
  const lock = locking(path, 'shared', (holder) => `${holder} is replacing it`)
  try {
    requireRestored(path)
    return lock
  } catch (err) {
    lock[Symbol.dispose]()
    throw err
  }
}

/** Throws if a restore was interrupted while it replaced the event store, or before that while there was none. */
export function requireRestored(path: string): void {
  if (existsSync(replacementFile(path)))
    throw new Error('`platen restore` was interrupted while it replaced the event store; run it again')
  const file = storeFile(path)
  const staging = stagingFolder(file)
  if (existsSync(file) || !existsSync(staging)) return
  // An empty store would be made, as if there had never been another one.
  throw new Error(
    `there is no event store yet: \`platen restore\` was interrupted; run it again, or delete ${staging} to begin with an empty one`,
  )
}

/** To be held while the file is replaced. Throws if another process has the event store open. */
export function takeStore(path: string): Disposable {
  const advice = 'stop all services and commands that use it first'
  return locking(path, 'exclusive', (holder) => `${holder} has the event store ${path} open; ${advice}`)
}

function locking(path: string, kind: 'shared' | 'exclusive', describe: (holder: string) => string): Disposable {
  const ownedAs = existsSync(path) ? path : dirname(path)
  try {
    return lockFile(`${storeFile(path)}.lock`, kind, { timeoutMs: kind === 'shared' ? startTimeoutMs : 0, ownedAs })
  } catch (err) {
    if (!(err instanceof FileLocked)) throw err
    throw new Error(describe(err.holder), { cause: err })
  }
}
