import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { type EventRow, eventColumns } from './codec.ts'
import { reading } from './errors.ts'

export const pageRows = 500
/** Limits the memory for a page of large events, and the time in which a view is updated with it. */
const pageBytes = 2_000_000

export interface Page {
  rows: EventRow[]
  /** No more rows followed when the page was read. */
  last: boolean
}

/** Reads a whole page. An open statement would prevent checkpoints of the write-ahead log. */
export function readPage(statement: StatementSync, ...parameters: SQLInputValue[]): Page {
  return reading(() => {
    const rows: EventRow[] = []
    let bytes = 0
    for (const row of statement.iterate(...parameters) as Iterable<EventRow>) {
      rows.push(row)
      bytes += row.data.length + row.metadata.length
      if (rows.length === pageRows || bytes >= pageBytes) return { rows, last: false }
    }
    return { rows, last: true }
  })
}

/** An event of the log. */
export interface LogEnd {
  rowId: number
  id: string
}

export interface LogPage extends Page {
  /** Every event up to this one was examined; undefined if there is none after the start of the page. */
  scannedTo: LogEnd | undefined
}

/** Returns a function that reads the events after a row id, of the given categories or of all. */
export function logReader(database: DatabaseSync, categories?: readonly string[]): (after: number) => LogPage {
  const statement = database.prepare(categories ? pageOfCategories(categories.length) : pageOfAll)
  const readEnd = endReader(database)
  return (after) => {
    // Read the end first: events committed later lie beyond it and belong to the next page.
    const end = readEnd()
    const page = readPage(statement, after, ...(categories ?? []))
    const lastRow = page.rows.at(-1)
    const last = lastRow && { rowId: lastRow.position, id: lastRow.id }
    const isEndLater = page.last && end !== undefined && end.rowId > (last?.rowId ?? after)
    return { ...page, scannedTo: isEndLater ? end : last }
  }
}

/** Returns a function that reads the last event of the log. */
export function endReader(database: DatabaseSync): () => LogEnd | undefined {
  const statement = database.prepare('SELECT position AS rowId, id FROM events ORDER BY position DESC LIMIT 1')
  return () => reading(() => statement.get() as LogEnd | undefined)
}

/** Returns a function that reads the id of the event in a row. */
export function idReader(database: DatabaseSync): (rowId: number) => string | undefined {
  const statement = database.prepare('SELECT id FROM events WHERE position = ?')
  return (rowId) => reading(() => statement.get(rowId)?.id as string | undefined)
}

/** Returns a function that says whether a stream has an event. */
export function streamFinder(database: DatabaseSync, stream: string): () => boolean {
  const statement = database.prepare('SELECT 1 FROM events WHERE stream = ? LIMIT 1')
  return () => reading(() => statement.get(stream) !== undefined)
}

/** Returns a function that finds the last event before a time, in ms since the epoch, by halves: `created` has no index. */
export function timeReader(database: DatabaseSync): (timeMs: number) => LogEnd | undefined {
  const readEnd = endReader(database)
  // Numbers of appends that failed are missing.
  const upTo = database.prepare(
    'SELECT position AS rowId, id, created FROM events WHERE position <= ? ORDER BY position DESC LIMIT 1',
  )
  return (timeMs) => {
    let found: LogEnd | undefined
    let [after, until] = [0, (readEnd()?.rowId ?? 0) + 1]
    while (until - after > 1) {
      const middle = Math.floor((after + until) / 2)
      const row = reading(() => upTo.get(middle)) as (LogEnd & { created: number }) | undefined
      if (row !== undefined && row.rowId > after && row.created >= timeMs) {
        until = row.rowId
        continue
      }
      if (row !== undefined && row.rowId > after) found = { rowId: row.rowId, id: row.id }
      after = middle
    }
    return found
  }
}

const pageOfAll = `SELECT ${eventColumns} FROM events WHERE position > ? ORDER BY position LIMIT ${pageRows}`

/** `category IN (…)` would sort the rest of the log for each page. This query reads one page per category by index. */
function pageOfCategories(count: number): string {
  const pages = Array.from(
    { length: count },
    (_, index) => `SELECT * FROM (
      SELECT position FROM events WHERE category = ?${index + 2} AND position > ?1 ORDER BY position LIMIT ${pageRows})`,
  )
  return `SELECT ${eventColumns} FROM events WHERE position IN (${pages.join(' UNION ALL ')})
    ORDER BY position LIMIT ${pageRows}`
}
