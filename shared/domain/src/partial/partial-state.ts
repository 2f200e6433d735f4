import type { EventPlace, Unreadable } from '@platen/event-store/decider.ts'
import type { PartialEvent } from './partial-events.ts'

/** The state of a partial, folded from its stream. */
export type PartialState = { status: 'absent' } | ActivePartial | DeletedPartial

interface KnownPartial {
  ownerId: string
  name: string
  version: number
  /** When it was created, or created again (RFC 3339). */
  createdAt: string
}
export type ActivePartial = KnownPartial & { status: 'active'; html: string }
type DeletedPartial = KnownPartial & { status: 'deleted' }

export const absentPartial: PartialState = { status: 'absent' }

/** Every event but the deletion has the whole source. */
export function isWholePartial({ type }: PartialEvent | Unreadable): boolean {
  switch (type) {
    case 'PartialCreated':
    case 'PartialUpdated':
      return true
    case 'PartialDeleted':
    case '$unreadable':
      return false
  }
}

export function evolvePartial(partial: PartialState, event: PartialEvent | Unreadable, at: EventPlace): PartialState {
  const version = at.revision + 1
  switch (event.type) {
    case 'PartialCreated':
    case 'PartialUpdated': {
      const { owner_id: ownerId, name, html } = event.data
      const createdAt = event.type === 'PartialCreated' ? at.time : event.data.created_at
      return { status: 'active', ownerId, name, html, version, createdAt }
    }
    case 'PartialDeleted': {
      if (partial.status !== 'active') return later(partial, version)
      const { html: _, ...known } = partial
      return { ...known, status: 'deleted', version }
    }
    case '$unreadable':
      return later(partial, version)
  }
}

/** An event that cannot be read changes nothing, but it is a revision, and so a version. */
function later(partial: PartialState, version: number): PartialState {
  return partial.status === 'absent' ? partial : { ...partial, version }
}
