import type { DatabaseSync } from 'node:sqlite'
import { type Appended, type ExpectedRevision, WrongExpectedRevision } from '../../event-store.ts'
import { categoryOf } from '../../stream-name.ts'
import { type EncodedEvent, encodePosition } from './codec.ts'

export interface Append {
  stream: string
  events: EncodedEvent[]
  expected: ExpectedRevision
}

export interface Written {
  appended: Appended
  /** The time of the rows; undefined if the events were there before. */
  created?: number
}

const noStream = -1

/**
 * Returns a function that checks the expected revision and appends, inside the caller's transaction.
 * It returns WrongExpectedRevision instead of throwing it, because the other appends of the group must not roll back.
 */
export function streamWriter(
  database: DatabaseSync,
  token: string,
): (append: Append) => Written | WrongExpectedRevision {
  const lastRevision = database.prepare('SELECT max(revision) AS revision FROM events WHERE stream = ?')
  const insert = database.prepare(
    'INSERT INTO events(stream, category, revision, id, type, data, metadata, created) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  )
  const idAt = database.prepare('SELECT id, position FROM events WHERE stream = ? AND revision = ?')

  function write({ stream, events }: Append, firstRevision: number): Written {
    const category = categoryOf(stream)
    const created = Date.now()
    let rowId = 0
    for (const [index, { id, type, data, metadata }] of events.entries()) {
      const result = insert.run(stream, category, firstRevision + index, id, type, data, metadata, created)
      rowId = Number(result.lastInsertRowid)
    }
    return { appended: appended(events, firstRevision, rowId), created }
  }

  function appended(events: EncodedEvent[], firstRevision: number, rowId: number): Appended {
    const position = encodePosition(rowId, token, events.at(-1)?.id ?? '')
    return { revision: firstRevision + events.length - 1, position }
  }

  /** The original result if these events were already written at this revision. */
  function originalResult({ stream, events }: Append, firstRevision: number): Written | undefined {
    let rowId = 0
    for (const [index, { id }] of events.entries()) {
      const row = idAt.get(stream, firstRevision + index)
      if (row?.id !== id) return undefined
      rowId = Number(row.position)
    }
    return { appended: appended(events, firstRevision, rowId) }
  }

  return (append) => {
    const { stream, expected } = append
    const last = Number(lastRevision.get(stream)?.revision ?? noStream)
    const wanted = expected === 'any' ? last : expected === 'none' ? noStream : expected
    if (wanted === last) return write(append, last + 1)
    return (
      originalResult(append, wanted + 1) ??
      new WrongExpectedRevision(stream, expected, last === noStream ? 'none' : last)
    )
  }
}
