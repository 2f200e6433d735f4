import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import type { EventCatalogue } from '../../event-catalogue.ts'
import { categoryOf } from '../../stream-name.ts'
import { decodeEvent, type EventRow, eventColumns } from './codec.ts'
import { isBusy } from './errors.ts'
import { requireRestored, shareStore } from './store-lock.ts'

/**
 * The format of the file and of the events in it, stored as `user_version`. Programs refuse files of another format.
 * Raise it if older versions could not read new events, or this version could not read old ones.
 */
export const eventFormat = 2

/**
 * The format of a file since events were first moved to the archive. Programs that do not look there would take a generation whose
 * events were removed for one that never was, and delete its files.
 */
export const removedFormat = 3

const readable: readonly number[] = [eventFormat, removedFormat]

/** The format of earlier states of the source, whose events had several forms. */
const unreleasedFormat = 1

/** Another process may be claiming the file, too. */
const claimTimeoutMs = 5_000
const lookEveryMs = 50

/** Another process has the file open. */
export class FileInUse extends Error {
  override readonly name = 'FileInUse'
}

/**
 * Converts a file of the previous format if the catalogue can read all of its events, so that earlier states of the
 * source refuse the file: they would record events that this version cannot read. If an event cannot be read, returns
 * why and changes nothing. Ignores a file that does not exist or has another format. Throws FileInUse if a process has
 * it open, as an earlier state would continue to record its events.
 */
export function claimEventFile(path: string, catalogue: EventCatalogue): string | undefined {
  if (!existsSync(path)) {
    requireRestored(path)
    return undefined
  }
  using _lock = shareStore(path)
  const deadline = performance.now() + claimTimeoutMs
  while (isUnreleased(path)) {
    try {
      return claimAlone(path, catalogue)
    } catch (err) {
      if (!isBusy(err)) throw err
      if (performance.now() > deadline) throw new FileInUse('another process has it open', { cause: err })
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, lookEveryMs)
    }
  }
  return undefined
}

/**
 * Undefined if there is no file that `claimEventFile` has to convert; else the reason for which it would refuse, if
 * any. Writes nothing.
 */
export function findUnclaimed(path: string, catalogue: EventCatalogue): { problem: string | undefined } | undefined {
  if (!existsSync(path)) return undefined
  using _lock = shareStore(path)
  return reading(path, (database) =>
    formatOf(database) === unreleasedFormat ? { problem: firstUnreadable(database, catalogue) } : undefined,
  )
}

const isUnreleased = (path: string) => reading(path, (database) => formatOf(database) === unreleasedFormat)

function reading<T>(path: string, read: (database: DatabaseSync) => T): T {
  // The last connection that may write takes the file for itself when it is closed, and others fail meanwhile.
  const database = new DatabaseSync(path, { timeout: claimTimeoutMs, readOnly: true })
  try {
    return read(database)
  } finally {
    database.close()
  }
}

/** Throws if the file is busy. */
function claimAlone(path: string, catalogue: EventCatalogue): string | undefined {
  const database = new DatabaseSync(path)
  try {
    // Fails while any other connection is open, even an idle one: https://www.sqlite.org/wal.html#noshm
    database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE')
    if (formatOf(database) !== unreleasedFormat) return undefined
    const problem = firstUnreadable(database, catalogue)
    if (problem !== undefined) return problem
    database.exec(`PRAGMA user_version = ${eventFormat}; COMMIT`)
    return undefined
  } finally {
    database.close()
  }
}

export const formatOf = (database: DatabaseSync): number =>
  Number(database.prepare('PRAGMA user_version').get()?.user_version)

/** Why a program of this format opens no file of that format. */
export function whyRefused(format: number): string | undefined {
  if (readable.includes(format)) return undefined
  const needs = `the file has schema version ${format}, this program needs ${readable.join(' or ')}`
  if (format > removedFormat) {
    return `${needs}: a newer Platen has written it; run that one, or restore a backup`
  }
  return `${needs}: an older Platen has written it`
}

function firstUnreadable(database: DatabaseSync, catalogue: EventCatalogue): string | undefined {
  const rows = database.prepare(`SELECT ${eventColumns} FROM events ORDER BY position`)
  for (const row of rows.iterate()) {
    const event = decodeEvent(row as EventRow, '')
    const { stream, revision, type } = event
    if (!catalogue.categories.has(categoryOf(stream))) continue
    const data = catalogue.upcast(event)
    const reason = catalogue.whyUnreadable({ stream, type, data })
    if (reason === undefined) continue
    return `${type}, event ${revision} of ${stream}, cannot be read (${reason})`
  }
  return undefined
}
