import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { type EventRow, eventColumns } from './codec.ts'
import { reading } from './errors.ts'

export const pageRows = 500
/** A page of large events ends before it fills the memory. */
const pageBytes = 4_000_000

export interface Page {
  rows: EventRow[]
  /** Nothing of what was asked for lies after this page, when it was read. */
  last: boolean
}

/** Reads a page whole: an open statement would keep the write-ahead log from being cleared. */
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

export interface LogPage extends Page {
  /** Everything up to here has been looked at. */
  scannedTo: number
}

/** Gives the events after a row id in the order of the log, of some categories or of all. */
export function logReader(database: DatabaseSync, categories?: readonly string[]): (after: number) => LogPage {
  const statement = database.prepare(categories ? pageOfCategories(categories.length) : pageOfAll)
  const readEnd = endReader(database)
  return (after) => {
    // The end is read first: what is committed after that lies beyond it, and is left to the next page.
    const end = readEnd()
    const page = readPage(statement, after, ...(categories ?? []))
    const lastRow = page.rows.at(-1)?.position ?? after
    return { ...page, scannedTo: page.last ? Math.max(end, lastRow) : lastRow }
  }
}

/** Gives the row id of the last event, 0 in an empty store. */
export function endReader(database: DatabaseSync): () => number {
  const statement = database.prepare('SELECT max(position) AS position FROM events')
  return () => reading(() => Number(statement.get()?.position ?? 0))
}

const pageOfAll = `SELECT ${eventColumns} FROM events WHERE position > ? ORDER BY position LIMIT ${pageRows}`

/** `category IN (…)` would sort the whole rest of the log for each page. This walks the index, one page a category. */
function pageOfCategories(count: number): string {
  const pages = Array.from(
    { length: count },
    (_, index) => `SELECT * FROM (
      SELECT position FROM events WHERE category = ?${index + 2} AND position > ?1 ORDER BY position LIMIT ${pageRows})`,
  )
  return `SELECT ${eventColumns} FROM events WHERE position IN (${pages.join(' UNION ALL ')})
    ORDER BY position LIMIT ${pageRows}`
}
