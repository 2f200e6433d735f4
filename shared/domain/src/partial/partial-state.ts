import type { PartialEvent } from './partial-events.ts'

/** The state of a partial, folded from its stream. */
export type PartialState =
  | { status: 'absent' }
  | { status: 'active'; ownerId: string; name: string; html: string; version: number }
  | { status: 'deleted'; ownerId: string; name: string; version: number }

export const absentPartial: PartialState = { status: 'absent' }

export function evolvePartial(partial: PartialState, event: PartialEvent): PartialState {
  const version = partial.status === 'absent' ? 1 : partial.version + 1
  switch (event.type) {
    case 'PartialCreated': {
      const { owner_id: ownerId, name, html } = event.data
      return { status: 'active', ownerId, name, html, version }
    }
    case 'PartialUpdated':
      return partial.status === 'active' ? { ...partial, html: event.data.html, version } : later(partial)
    case 'PartialDeleted':
      if (partial.status !== 'active') return later(partial)
      return { status: 'deleted', ownerId: partial.ownerId, name: partial.name, version }
    default:
      return later(partial)
  }
}

/** An event that cannot be read changes nothing, but it is a revision, and so a version. */
function later(partial: PartialState): PartialState {
  return partial.status === 'absent' ? partial : { ...partial, version: partial.version + 1 }
}
