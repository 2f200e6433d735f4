import type { DatabaseSync } from 'node:sqlite'
import type { BatchCounts } from '@platen/domain/batch/batch.ts'
import type { BatchEvent } from '@platen/domain/batch/batch-events.ts'
import { absentBatch, type BatchState, batchDecider } from '@platen/domain/batch/decide-batch.ts'
import type { GenerationStatus } from '@platen/domain/generation/generation.ts'
import { placeOf } from '@platen/event-store/event-time.ts'
import { domainEvent } from '@platen/event-store/handle-command.ts'
import { aggregateIdOf } from '@platen/event-store/stream-name.ts'
import type { Page, View } from './view.ts'

export type KnownBatch = Exclude<BatchState, { status: 'absent' }>

export interface BatchRecord {
  id: string
  state: KnownBatch
  /** Counts of the items that have begun, up to the position of the view. */
  begun: Omit<BatchCounts, 'queued'>
}

/** Counts of a batch that the view does not show yet. */
export const noneBegun: BatchRecord['begun'] = { rendering: 0, completed: 0, failed: 0, cancelled: 0 }

export interface BatchView extends View {
  find(id: string): BatchRecord | undefined
  /** Ids of the unfinished batches of all owners, oldest first. */
  unfinished(limit: number): string[]
  countUnfinished(ownerId: string): number
  /** Newest first. `before` is the id that ended the previous page. */
  page(options: { ownerId: string; before: string | undefined; limit: number }): Page<BatchRecord>
}

export const batchTables = `
  CREATE TABLE batches(
    id TEXT PRIMARY KEY, owner_id TEXT NOT NULL, state TEXT NOT NULL, has_ended INTEGER NOT NULL,
    rendering INTEGER NOT NULL DEFAULT 0, completed INTEGER NOT NULL DEFAULT 0, failed INTEGER NOT NULL DEFAULT 0,
    cancelled INTEGER NOT NULL DEFAULT 0) STRICT, WITHOUT ROWID;
  CREATE INDEX batches_owner ON batches(owner_id, id);
  CREATE INDEX batches_unfinished ON batches(id, owner_id) WHERE has_ended = 0;`

export function batchView(db: DatabaseSync): BatchView {
  const columns = 'id, state, rendering, completed, failed, cancelled FROM batches'
  const byId = db.prepare(`SELECT ${columns} WHERE id = ?`)
  const newest = db.prepare(`SELECT ${columns} WHERE owner_id = ? AND id < ? ORDER BY id DESC LIMIT ?`)
  const unfinished = db.prepare('SELECT id FROM batches WHERE has_ended = 0 ORDER BY id LIMIT ?')
  const ofOwner = db.prepare('SELECT count(*) AS count FROM batches WHERE has_ended = 0 AND owner_id = ?')
  const save = db.prepare(
    `INSERT INTO batches(id, owner_id, state, has_ended) VALUES (?, ?, ?, ?)
     ON CONFLICT(id) DO UPDATE SET state = excluded.state, has_ended = excluded.has_ended`,
  )
  const remove = db.prepare('DELETE FROM batches WHERE id = ?')
  const find = (id: string) => {
    const row = byId.get(id)
    return row && recordOf(row)
  }
  return {
    find,
    remove: (id) => void remove.run(id),
    apply(event) {
      const id = aggregateIdOf(event.stream)
      const before: BatchState = find(id)?.state ?? absentBatch
      const state = batchDecider.evolve(before, domainEvent<BatchEvent>(event), placeOf(event))
      if (state.status === 'absent') return
      save.run(id, state.batch.owner_id, JSON.stringify(state), Number('ended' in state))
    },
    unfinished: (limit) => unfinished.all(limit).map(({ id }) => String(id)),
    countUnfinished: (ownerId) => Number(ofOwner.get(ownerId)?.count),
    page({ ownerId, before = '~', limit }) {
      const rows = newest.all(ownerId, before, limit + 1).map(recordOf)
      return { items: rows.slice(0, limit), hasMore: rows.length > limit }
    },
  }
}

/** Counts an item of a batch, which has got another status. */
export type CountItem = (batchId: string, from: GenerationStatus | 'absent', to: GenerationStatus) => void

const counted: readonly string[] = ['rendering', 'completed', 'failed', 'cancelled']

export function itemCounter(db: DatabaseSync): CountItem {
  const [add, subtract] = ['+', '-'].map((sign) => {
    const statements = counted.map((name) => db.prepare(`UPDATE batches SET ${name} = ${name} ${sign} 1 WHERE id = ?`))
    return (status: string, id: string) => void statements[counted.indexOf(status)]?.run(id)
  })
  return (batchId, from, to) => {
    if (from === to) return
    subtract?.(from, batchId)
    add?.(to, batchId)
  }
}

function recordOf(row: Record<string, unknown>): BatchRecord {
  const { id, state, rendering, completed, failed, cancelled } = row as Record<string, string | number>
  const counts = [rendering, completed, failed, cancelled].map(Number)
  const [ofRendering = 0, ofCompleted = 0, ofFailed = 0, ofCancelled = 0] = counts
  return {
    id: String(id),
    state: JSON.parse(String(state)),
    begun: { rendering: ofRendering, completed: ofCompleted, failed: ofFailed, cancelled: ofCancelled },
  }
}
