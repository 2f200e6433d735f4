import type { DatabaseSync } from 'node:sqlite'
import type { ListedPartial } from '@platen/domain/partial/partial.ts'
import { aggregateIdOf } from '@platen/event-store/stream-name.ts'
import type { CloudEvent } from '@platen/messaging/envelopes/cloud-event.ts'
import { partialNames } from '@platen/templating/handlebars/scan.ts'
import { pageOfRows, recordOfRow } from './aggregate-record.ts'
import { type PartialRecord, partialFold, partialOf } from './partial-record.ts'
import type { Page, View } from './view.ts'

export interface PartialPage {
  ownerId: string
  /** The name that ended the previous page. */
  after: string | undefined
  limit: number
  summary: boolean
}

/** The newest version of a partial, and the names of those that it calls. */
export interface NewestPartial {
  id: string
  name: string
  version: number
  calls: string[]
}

export interface PartialView extends View {
  /** Whether a published event was applied. */
  shows(event: CloudEvent): boolean
  /** Also finds a deleted partial. */
  record(id: string): PartialRecord | undefined
  /** The partials of an owner, by name. Summaries have no html. */
  page(options: PartialPage): Page<ListedPartial>
  /** Undefined if the owner has no partial of that name now. */
  newest(ownerId: string, name: string): NewestPartial | undefined
  /** The owner's partials that call one of that name, by name. */
  callersOf(ownerId: string, name: string): NewestPartial[]
  count(ownerId: string): number
}

export const partialTables = `
  CREATE TABLE partials(
    id TEXT PRIMARY KEY, owner_id TEXT NOT NULL, name TEXT NOT NULL, active INTEGER NOT NULL, revision INTEGER NOT NULL,
    created_at TEXT NOT NULL, updated_at TEXT NOT NULL, calls TEXT NOT NULL, state TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE INDEX partials_name ON partials(owner_id, name) WHERE active = 1;`

export function partialView(db: DatabaseSync): PartialView {
  const byId = db.prepare('SELECT * FROM partials WHERE id = ?')
  const byName = db.prepare(
    'SELECT id, name, revision, calls FROM partials WHERE owner_id = ? AND name = ? AND active = 1',
  )
  const callers = db.prepare(
    `SELECT id, name, revision, calls FROM partials
     WHERE owner_id = ? AND active = 1 AND EXISTS (SELECT 1 FROM json_each(calls) WHERE value = ?) ORDER BY name`,
  )
  const counted = db.prepare('SELECT count(*) AS count FROM partials WHERE owner_id = ? AND active = 1')
  const listed = (state: string) =>
    db.prepare(
      `SELECT id, ${state} AS state, revision, created_at, updated_at FROM partials
       WHERE owner_id = ? AND active = 1 AND name > ? ORDER BY name LIMIT ?`,
    )
  const complete = listed('state')
  const summaries = listed("json_remove(state, '$.html')")
  const save = db.prepare(
    `INSERT INTO partials(id, owner_id, name, active, revision, created_at, updated_at, calls, state)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT(id) DO UPDATE SET active = excluded.active, revision = excluded.revision, calls = excluded.calls,
       created_at = excluded.created_at, updated_at = excluded.updated_at, state = excluded.state`,
  )
  const remove = db.prepare('DELETE FROM partials WHERE id = ?')
  const record = (id: string): PartialRecord | undefined => {
    const row = byId.get(id)
    return row && recordOfRow(row)
  }

  return {
    remove: (id) => void remove.run(id),
    record,
    shows: ({ subject, revision }) => (record(subject)?.revision ?? -1) >= revision,
    apply(event) {
      const { id, state, revision, created_at, updated_at } = partialFold.evolve(
        record(aggregateIdOf(event.stream)),
        event,
      )
      if (state.status === 'absent') return
      const calls = state.status === 'active' ? partialNames(state.html) : []
      const active = state.status === 'active' ? 1 : 0
      const texts = [JSON.stringify(calls), JSON.stringify(state)] as const
      save.run(id, state.ownerId, state.name, active, revision, created_at, updated_at, ...texts)
    },
    page({ ownerId, after = '', limit, summary }) {
      const rows = summary ? summaries : complete
      return pageOfRows(rows.iterate(ownerId, after, limit + 1), limit, partialOf)
    },
    newest(ownerId, name) {
      const row = byName.get(ownerId, name)
      return row && newestOf(row)
    },
    callersOf: (ownerId, name) => callers.all(ownerId, name).map(newestOf),
    count: (ownerId) => Number(counted.get(ownerId)?.count),
  }
}

function newestOf(row: unknown): NewestPartial {
  const { id, name, revision, calls } = row as { id: string; name: string; revision: number; calls: string }
  return { id, name, version: revision + 1, calls: JSON.parse(calls) }
}
