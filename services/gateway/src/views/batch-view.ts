import type { DatabaseSync } from 'node:sqlite'
import type { BatchCounts } from '@platen/domain/batch/batch.ts'
import type { BatchEvent } from '@platen/domain/batch/batch-events.ts'
import { absentBatch, type BatchState, batchDecider } from '@platen/domain/batch/decide-batch.ts'
import { placeOf } from '@platen/event-store/event-time.ts'
import { domainEvent } from '@platen/event-store/handle-command.ts'
import { aggregateIdOf } from '@platen/event-store/stream-name.ts'
import type { Page, View } from './view.ts'

export type KnownBatch = Exclude<BatchState, { status: 'absent' }>

export interface BatchRecord {
  id: string
  state: KnownBatch
  /** Counts of the items that have begun, up to the position of the view. Of a batch that has ended: none. */
  begun: BegunItems
}

export type BegunItems = Omit<BatchCounts, 'queued'>

/** Before any item has begun. */
export const noneBegun: BegunItems = { rendering: 0, completed: 0, failed: 0, cancelled: 0 }

export interface UnfinishedBatch {
  id: string
  ownerId: string
}

export interface BatchView extends View {
  state(id: string): BatchState
  /** Counted from the generations of its items. */
  begun(id: string): BegunItems
  /** Oldest first, of each owner in turn: the oldest of each, then the second of each, and so on. */
  unfinished(limit: number): UnfinishedBatch[]
  countUnfinished(ownerId: string): number
  /** Newest first. `before` is the id that ended the previous page. */
  page(options: { ownerId: string; before: string | undefined; limit: number }): Page<BatchRecord>
}

export const batchTables = `
  CREATE TABLE batches(
    id TEXT PRIMARY KEY, owner_id TEXT NOT NULL, state TEXT NOT NULL, has_ended INTEGER NOT NULL)
    STRICT, WITHOUT ROWID;
  CREATE INDEX batches_owner ON batches(owner_id, id);
  CREATE INDEX batches_unfinished ON batches(id, owner_id) WHERE has_ended = 0;`

export function batchView(db: DatabaseSync): BatchView {
  const byId = db.prepare('SELECT id, state FROM batches WHERE id = ?')
  const newest = db.prepare('SELECT id, state FROM batches WHERE owner_id = ? AND id < ? ORDER BY id DESC LIMIT ?')
  const unfinished = db.prepare(`
    SELECT id, owner_id FROM (
      SELECT id, owner_id, row_number() OVER (PARTITION BY owner_id ORDER BY id) AS turn FROM batches WHERE has_ended = 0)
    ORDER BY turn, id LIMIT ?`)
  const items = db.prepare('SELECT status, count(*) AS count FROM generations WHERE batch_id = ? GROUP BY status')
  const ofOwner = db.prepare('SELECT count(*) AS count FROM batches WHERE has_ended = 0 AND owner_id = ?')
  const save = db.prepare(
    `INSERT INTO batches(id, owner_id, state, has_ended) VALUES (?, ?, ?, ?)
     ON CONFLICT(id) DO UPDATE SET state = excluded.state, has_ended = excluded.has_ended`,
  )
  const remove = db.prepare('DELETE FROM batches WHERE id = ?')
  const state = (id: string): BatchState => {
    const row = byId.get(id)
    return row ? JSON.parse(String(row.state)) : absentBatch
  }
  const begun = (id: string): BegunItems => ({
    ...noneBegun,
    ...Object.fromEntries(items.all(id).map(({ status, count }) => [status, Number(count)])),
  })
  const recordOf = (id: string, state: KnownBatch): BatchRecord => {
    return { id, state, begun: 'ended' in state ? noneBegun : begun(id) }
  }
  return {
    state,
    begun,
    remove: (id) => void remove.run(id),
    apply(event) {
      const id = aggregateIdOf(event.stream)
      const next = batchDecider.evolve(state(id), domainEvent<BatchEvent>(event), placeOf(event))
      if (next.status === 'absent') return
      save.run(id, next.batch.owner_id, JSON.stringify(next), Number('ended' in next))
    },
    unfinished: (limit) =>
      unfinished.all(limit).map(({ id, owner_id }) => ({ id: String(id), ownerId: String(owner_id) })),
    countUnfinished: (ownerId) => Number(ofOwner.get(ownerId)?.count),
    page({ ownerId, before = '~', limit }) {
      const rows = newest.all(ownerId, before, limit + 1)
      const shown = rows.slice(0, limit).map(({ id, state }) => recordOf(String(id), JSON.parse(String(state))))
      return { items: shown, hasMore: rows.length > limit }
    },
  }
}
