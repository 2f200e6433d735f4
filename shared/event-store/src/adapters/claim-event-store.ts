import { resolve } from 'node:path'
import type { EventCatalogue } from '../event-catalogue.ts'
import { claimEventFile, FileInUse, findUnclaimed } from './sqlite/event-format.ts'

/**
 * To be called before the store of EVENT_STORE_URL is opened. Afterwards earlier states of the source refuse the file.
 * Throws, and changes nothing, if it is a SQLite file of such a state with events that the catalogue cannot read, or if
 * another process has it open.
 */
export function claimEventStore(url: string, catalogue: EventCatalogue): void {
  if (!url.startsWith('sqlite:')) return
  const path = resolve(url.slice('sqlite:'.length))
  const problem = claimFile(path, catalogue)
  if (problem !== undefined) throw unreadable(path, problem)
}

/**
 * For programs that only read: throws, and writes nothing, if `claimEventStore` would change or refuse the file of
 * EVENT_STORE_URL.
 */
export function requireClaimedStore(url: string, catalogue: EventCatalogue): void {
  if (!url.startsWith('sqlite:')) return
  const path = resolve(url.slice('sqlite:'.length))
  const unclaimed = findUnclaimed(path, catalogue)
  if (unclaimed === undefined) return
  if (unclaimed.problem !== undefined) throw unreadable(path, unclaimed.problem)
  throw new Error(
    `EVENT_STORE_URL: ${path} was written by an earlier state of Platen's source. The next start of Platen changes it, so that the earlier state cannot open it any more; until then nothing reads it`,
  )
}

function unreadable(path: string, problem: string): Error {
  const advice =
    'Nothing was changed: go back to the source that has written it, or begin anew in another folder, as with DATA_DIR=./data-2'
  return new Error(`EVENT_STORE_URL: ${path} was written by an earlier state of Platen's source: ${problem}. ${advice}`)
}

function claimFile(path: string, catalogue: EventCatalogue): string | undefined {
  try {
    return claimEventFile(path, catalogue)
  } catch (err) {
    if (err instanceof FileInUse) {
      throw new Error(
        `EVENT_STORE_URL: ${path} was written by an earlier state of Platen's source, and ${err.message}: stop that process first. Nothing was changed`,
        { cause: err },
      )
    }
    throw new Error(`EVENT_STORE_URL: cannot open ${path}: ${(err as Error).message}`, { cause: err })
  }
}
