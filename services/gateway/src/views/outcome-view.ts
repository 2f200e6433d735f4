import type { DatabaseSync } from 'node:sqlite'
import { type GenerationState, outcomeOf } from '@platen/domain/generation/generation-state.ts'
import type { StoredEvent } from '@platen/event-store/event-store.ts'

/** Generations that have ended, by the code of their error. */
export interface Outcomes {
  completed: number
  failed: number
  cancelled: number
  failures: { code: string; count: number }[]
}

/** An event of a generation, with the state after it. */
export interface Evolved {
  event: StoredEvent
  state: GenerationState
}

export interface OutcomeView {
  /** Counts the events among these that end a generation. */
  apply(events: readonly Evolved[]): void
  /** Those of the last minutes, of one owner or of all. The current minute counts as one. */
  ofLast(minutes: number, options: { ownerId?: string; nowMs?: number }): Outcomes
}

/** Older ones are removed, counted from the newest, so that the rows depend on the log alone. */
const keptMinutes = 120
const minuteMs = 60_000

export const outcomeTables = `
  CREATE TABLE outcomes(
    minute INTEGER NOT NULL, owner_id TEXT NOT NULL, status TEXT NOT NULL, code TEXT NOT NULL, count INTEGER NOT NULL,
    PRIMARY KEY(minute, owner_id, status, code)) STRICT, WITHOUT ROWID;
  CREATE INDEX outcomes_owner ON outcomes(owner_id, minute, status, code, count);`

/** How many generations have ended, by minute and owner: one row for the documents of a minute, however many they are. */
export function outcomeView(db: DatabaseSync): OutcomeView {
  const save = db.prepare(
    `INSERT INTO outcomes VALUES (?, ?, ?, ?, ?)
     ON CONFLICT(minute, owner_id, status, code) DO UPDATE SET count = count + excluded.count`,
  )
  const removeOld = db.prepare(
    `DELETE FROM outcomes WHERE minute < (SELECT max(minute) FROM outcomes) - ${keptMinutes}`,
  )
  const sum = 'SELECT status, code, sum(count) AS count FROM outcomes'
  const ofAll = db.prepare(`${sum} WHERE minute > ? GROUP BY status, code ORDER BY 3 DESC`)
  const ofOwner = db.prepare(`${sum} WHERE minute > ? AND owner_id = ? GROUP BY status, code ORDER BY 3 DESC`)
  return {
    apply(events) {
      const counts = new Map<string, { row: readonly [number, string, string, string]; count: number }>()
      for (const { event, state } of events) {
        if (state.status === 'absent' || outcomeOf(state)?.type !== event.type) continue
        const minute = Math.floor(event.recordedAt.getTime() / minuteMs)
        const code = state.status === 'failed' ? state.failure.code : ''
        const row = [minute, state.request.owner_id, state.status, code] as const
        const key = row.join(' ')
        counts.set(key, { row, count: (counts.get(key)?.count ?? 0) + 1 })
      }
      if (counts.size === 0) return
      for (const { row, count } of counts.values()) save.run(...row, count)
      removeOld.run()
    },
    ofLast(minutes, { ownerId, nowMs = Date.now() }) {
      const after = Math.floor(nowMs / minuteMs) - minutes
      const rows = ownerId === undefined ? ofAll.all(after) : ofOwner.all(after, ownerId)
      const found = rows as { status: string; code: string; count: number }[]
      const countOf = (wanted: string) =>
        found.reduce((sum, { status, count }) => sum + (status === wanted ? count : 0), 0)
      return {
        completed: countOf('completed'),
        failed: countOf('failed'),
        cancelled: countOf('cancelled'),
        failures: found.filter(({ status }) => status === 'failed').map(({ code, count }) => ({ code, count })),
      }
    },
  }
}
