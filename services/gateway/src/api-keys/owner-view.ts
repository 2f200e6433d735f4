import type { DatabaseSync } from 'node:sqlite'
import type { OwnerEvent } from '@platen/shared/contracts/owner.ts'
import type { StoredEvent } from '@platen/shared/event-store/event-store.ts'
import { domainEvent } from '@platen/shared/event-store/handle-command.ts'
import { aggregateIdOf } from '@platen/shared/event-store/stream-name.ts'
import { type OwnerState, ownerDecider } from '@platen/shared/owners/owner.ts'

type Known = Exclude<OwnerState, { status: 'absent' }>

/** An owner and the revision of its last event; -1 for the default owner without events. */
export type Owner = Known & { id: string; revision: number }

export interface OwnerView {
  apply(event: StoredEvent): void
  remove(id: string): void
  /** The default owner is known without events. */
  find(id: string): Owner | undefined
}

export function ownerView(db: DatabaseSync): OwnerView {
  const byId = db.prepare('SELECT revision, state FROM owners WHERE id = ?')
  const save = db.prepare(
    `INSERT INTO owners(id, revision, state) VALUES (?, ?, ?)
     ON CONFLICT(id) DO UPDATE SET revision = excluded.revision, state = excluded.state`,
  )
  const stateOf = (id: string): { revision: number; state: OwnerState } => {
    const row = byId.get(id)
    if (row === undefined) return { revision: -1, state: ownerDecider(id).initialState }
    return { revision: Number(row.revision), state: JSON.parse(String(row.state)) }
  }
  const remove = db.prepare('DELETE FROM owners WHERE id = ?')
  return {
    remove: (id) => void remove.run(id),
    apply(event) {
      const id = aggregateIdOf(event.stream)
      const state = ownerDecider(id).evolve(stateOf(id).state, domainEvent<OwnerEvent>(event))
      save.run(id, event.revision, JSON.stringify(state))
    },
    find(id) {
      const { revision, state } = stateOf(id)
      return state.status === 'absent' ? undefined : { id, revision, ...state }
    },
  }
}
