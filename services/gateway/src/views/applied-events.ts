import type { DatabaseSync } from 'node:sqlite'
import type { StoredEvent } from '@platen/event-store/event-store.ts'
import { isTombstone, unreadable } from '@platen/event-store/with-catalogue.ts'

/** What has led to the views in a file. */
export interface AppliedEvents {
  events: number
  /** How many of them this release could not read, so that the views lack what they say. */
  unreadable: number
  /**
   * When something was last taken out of the views that an older copy of them still has, in RFC 3339: a stream was deleted for good, or
   * wrong rows were repaired by `platen views rebuild`. Empty: never.
   */
  purgedAt: string
}

export const appliedTables = `
  CREATE TABLE applied(
    id INTEGER PRIMARY KEY CHECK(id = 1), events INTEGER NOT NULL, unreadable INTEGER NOT NULL, purged_at TEXT NOT NULL) STRICT;`

export function readApplied(db: DatabaseSync): AppliedEvents {
  const row = db.prepare('SELECT events, unreadable, purged_at FROM applied').get()
  return {
    events: Number(row?.events ?? 0),
    unreadable: Number(row?.unreadable ?? 0),
    purgedAt: String(row?.purged_at ?? ''),
  }
}

/** Counts the events of views. */
export function appliedCounter(db: DatabaseSync) {
  const add = db.prepare(`
    INSERT INTO applied VALUES (1, ?, ?, ?)
    ON CONFLICT(id) DO UPDATE SET events = events + excluded.events, unreadable = unreadable + excluded.unreadable,
      purged_at = max(purged_at, excluded.purged_at)`)
  return {
    /** To be called in the transaction that applies the events. */
    add(events: readonly StoredEvent[]) {
      const unread = events.filter(({ type }) => type === unreadable).length
      add.run(events.length, unread, events.findLast(isTombstone)?.recordedAt.toISOString() ?? '')
    },
    /** To be called when wrong rows may have been repaired. */
    purged(at: Date) {
      add.run(0, 0, at.toISOString())
    },
  }
}
