import type { DatabaseSync } from 'node:sqlite'
import { defaultOwnerId } from '@platen/domain/ids/owner-id.ts'
import { type OwnerState, ownerDecider } from '@platen/domain/owner/decide-owner.ts'
import type { OwnerEvent } from '@platen/domain/owner/owner-events.ts'
import { eventTime, placeOf } from '@platen/event-store/event-time.ts'
import { domainEvent } from '@platen/event-store/handle-command.ts'
import { aggregateIdOf } from '@platen/event-store/stream-name.ts'
import type { Page, View } from './view.ts'

export type Owner = Exclude<OwnerState, { status: 'absent' }> & {
  id: string
  /** Undefined for the default owner. */
  createdAt: string | undefined
}

export interface OwnerView extends View {
  /** The default owner is known without events. */
  find(id: string): Owner | undefined
  /** The default owner first, then newest first. `before` is the id that ended the previous page. */
  page(options: { before: string | undefined; limit: number }): Page<Owner>
}

export const ownerTables = `
  CREATE TABLE owners(id TEXT PRIMARY KEY, created_at TEXT, state TEXT NOT NULL) STRICT;`

export function ownerView(db: DatabaseSync): OwnerView {
  const byId = db.prepare('SELECT id, created_at, state FROM owners WHERE id = ?')
  const newest = db.prepare('SELECT id, created_at, state FROM owners WHERE id < ? ORDER BY id DESC LIMIT ?')
  const save = db.prepare(
    `INSERT INTO owners(id, created_at, state) VALUES (?, ?, ?) ON CONFLICT(id) DO UPDATE SET state = excluded.state`,
  )
  const saveState = (id: string, createdAt: string | null, state: OwnerState) =>
    save.run(id, createdAt, JSON.stringify(state))
  const stateOf = (id: string): OwnerState => {
    const row = byId.get(id)
    return row === undefined ? ownerDecider(id).initialState : JSON.parse(String(row.state))
  }
  const remove = db.prepare('DELETE FROM owners WHERE id = ?')
  const find = (id: string) =>
    ownerOf(byId.get(id) ?? { id, created_at: null, state: JSON.stringify(ownerDecider(id).initialState) })
  return {
    find,
    remove: (id) => void remove.run(id),
    apply(event) {
      const id = aggregateIdOf(event.stream)
      const createdAt = id === defaultOwnerId ? null : eventTime(event)
      saveState(id, createdAt, ownerDecider(id).evolve(stateOf(id), domainEvent<OwnerEvent>(event), placeOf(event)))
    },
    page({ before, limit }) {
      const first = before === undefined ? find(defaultOwnerId) : undefined
      // Ids are ordered by time, and that of the default owner is the last in this order.
      const rows = newest.all(before ?? defaultOwnerId, limit + 1)
      const owners = [...(first ? [first] : []), ...rows.flatMap((row) => ownerOf(row) ?? [])]
      return { items: owners.slice(0, limit), hasMore: owners.length > limit }
    },
  }
}

function ownerOf(row: Record<string, unknown>): Owner | undefined {
  const state: OwnerState = JSON.parse(String(row.state))
  if (state.status === 'absent') return undefined
  const createdAt = row.created_at === null ? undefined : String(row.created_at)
  return { id: String(row.id), createdAt, ...state }
}
