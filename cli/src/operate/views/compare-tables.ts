import type { DatabaseSync } from 'node:sqlite'
import { isDeepStrictEqual } from 'node:util'

type Row = Record<string, unknown>

export interface Difference {
  table: string
  /** The primary key. */
  key: string
  /** The columns that differ; the whole row if the other table has none. Undefined: there is no such row. */
  in_view: Row | undefined
  in_log: Row | undefined
}

/** Compares all tables of views apart from their checkpoint, the count of their events and what was removed for its age, row by row. */
export function* compareTables({
  running,
  rebuilt,
}: {
  running: DatabaseSync
  rebuilt: DatabaseSync
}): Iterable<Difference> {
  const tables = rebuilt.prepare(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT IN ('checkpoint', 'applied', 'aged') ORDER BY name",
  )
  const exists = running.prepare("SELECT count(*) AS n FROM sqlite_master WHERE type = 'table' AND name = ?")
  for (const { name } of tables.all()) {
    const table = String(name)
    if (exists.get(table)?.n === 0) yield { table, key: '', in_view: undefined, in_log: { table } }
    else yield* compareRows(table, running, rebuilt)
  }
}

function* compareRows(table: string, running: DatabaseSync, rebuilt: DatabaseSync): Iterable<Difference> {
  const columns = rebuilt.prepare(`PRAGMA table_info(${table})`).all()
  const keys = columns.filter(({ pk }) => Number(pk) > 0).map((column) => String(column.name))
  const query = `SELECT * FROM ${table} ORDER BY ${keys.join(', ')}`
  const left = running.prepare(query).iterate() as Iterator<Row>
  const right = rebuilt.prepare(query).iterate() as Iterator<Row>
  const keyOf = (row: Row) => keys.map((key) => String(row[key])).join(' ')
  let [inView, inLog] = [left.next(), right.next()]
  while (!inView.done || !inLog.done) {
    const order = inView.done ? 1 : inLog.done ? -1 : compareText(keyOf(inView.value), keyOf(inLog.value))
    if (order === 0 && !inView.done && !inLog.done) {
      const difference = columnsThatDiffer(inView.value, inLog.value)
      if (difference) yield { table, key: keyOf(inView.value), ...difference }
    }
    if (order < 0 && !inView.done)
      yield { table, key: keyOf(inView.value), in_view: { ...inView.value }, in_log: undefined }
    if (order > 0 && !inLog.done)
      yield { table, key: keyOf(inLog.value), in_view: undefined, in_log: { ...inLog.value } }
    if (order <= 0) inView = left.next()
    if (order >= 0) inLog = right.next()
  }
}

function columnsThatDiffer(one: Row, other: Row): Pick<Difference, 'in_view' | 'in_log'> | undefined {
  const names = Object.keys({ ...one, ...other }).filter((name) => !isDeepStrictEqual(one[name], other[name]))
  if (names.length === 0) return undefined
  const pick = (row: Row) => Object.fromEntries(names.map((name) => [name, row[name]]))
  return { in_view: pick(one), in_log: pick(other) }
}

/** Compares text as SQLite does: by code points. */
function compareText(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other))
}
