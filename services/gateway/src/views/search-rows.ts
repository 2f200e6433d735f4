import type { DatabaseSync, SQLInputValue, SQLOutputValue } from 'node:sqlite'
import { setImmediate } from 'node:timers/promises'

/** Values of named parameters. */
export type Values = Readonly<Record<string, SQLInputValue>>

type Row = Record<string, SQLOutputValue>

/** Rows that an index has in the order of their keys: those of an owner, or of an owner with a status. */
export interface Source {
  /** The table with its index, and the conditions that the index serves: `generations g INDEXED BY … WHERE …`. */
  rows: string
  /** The column that the index orders them by. */
  key: string
  /** The parameters of `rows`. */
  values: Values
}

export interface RowSearch {
  /** The columns of a row. The first one is its key. */
  columns: string
  sources: readonly Source[]
  /** The condition for the rows of a source, with a parameter for each of `values`. */
  conditions: string
  values: Values
  /** The smallest key. */
  from: string
  /** Only smaller keys. */
  before: string
  limit: number
}

export interface FoundRows {
  /** Largest key first. */
  rows: Row[]
  /** The key down to which was searched, if the search has ended before the page is full and there are smaller keys. */
  searchedTo?: string
}

/** So many rows of a source are compared at once, in some milliseconds. Then others are served. */
const stepSize = 500
/** A search ends after so many steps, so that its cost does not grow with the history. */
const maxSteps = 20

/**
 * Finds the rows of sources that match all conditions. The index of a source has the rows in order, so that a search with no
 * other condition reads a page of it, and one with other conditions a limited number of rows.
 */
export function rowSearch(db: DatabaseSync): (search: RowSearch) => Promise<FoundRows> {
  const statements = new Map<string, ReturnType<DatabaseSync['prepare']>>()
  // The texts are those of this program, so that there are few.
  const statement = (sql: string) => {
    const known = statements.get(sql) ?? db.prepare(sql)
    statements.set(sql, known)
    return known
  }
  const searchSource = async (search: RowSearch, { rows: source, key, values }: Source): Promise<FoundRows> => {
    const { columns, conditions, from, before, limit } = search
    const range = `AND ${key} >= :from AND ${key} < :before`
    const endOfStep = statement(
      `SELECT ${key} AS key FROM ${source} ${range} ORDER BY ${key} DESC LIMIT 1 OFFSET ${stepSize - 1}`,
    )
    const matching = statement(
      `SELECT ${columns} FROM ${source} ${range} ${conditions} ORDER BY ${key} DESC LIMIT :limit`,
    )
    const rows: Row[] = []
    for (let end = before, step = 1; ; step++) {
      const next = endOfStep.get({ ...values, from, before: end })
      const start = next === undefined ? from : String(next.key)
      const given = { ...values, ...search.values, from: start, before: end, limit: limit - rows.length }
      rows.push(...matching.all(given))
      if (next === undefined || rows.length >= limit) return { rows }
      if (step === maxSteps) return { rows, searchedTo: start }
      end = start
      await setImmediate()
    }
  }
  return async (search) => {
    const found: FoundRows[] = []
    for (const source of search.sources) found.push(await searchSource(search, source))
    return merged(found, search.limit)
  }
}

/** Rows below the highest end of an unfinished search may be missing. */
function merged(found: readonly FoundRows[], limit: number): FoundRows {
  const [only, ...others] = found
  if (only && others.length === 0) return only
  const ends = found.map(({ rows, searchedTo }) => searchedTo ?? (rows.length < limit ? '' : keyOf(rows.at(-1))))
  const end = ends.sort().at(-1) ?? ''
  const rows = found
    .flatMap((one) => one.rows)
    .filter((row) => keyOf(row) >= end)
    .sort((one, other) => (keyOf(one) < keyOf(other) ? 1 : -1))
    .slice(0, limit)
  return rows.length < limit && end !== '' ? { rows, searchedTo: end } : { rows }
}

function keyOf(row: Row | undefined): string {
  return String(Object.values(row ?? {})[0])
}
