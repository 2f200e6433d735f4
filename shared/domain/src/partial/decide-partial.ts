import type { WholeDecider } from '@platen/event-store/decider.ts'
import { DomainError } from '../http/errors.ts'
import type { DeletePartial, PartialCommand, UpdatePartial } from './partial.ts'
import type { PartialEvent } from './partial-events.ts'
import { type ActivePartial, absentPartial, evolvePartial, isWholePartial, type PartialState } from './partial-state.ts'

export const partialDecider: WholeDecider<PartialState, PartialCommand, PartialEvent> = {
  initialState: absentPartial,
  evolve: evolvePartial,
  isWhole: isWholePartial,
  decide(command, partial) {
    switch (command.type) {
      case 'CreatePartial': {
        const { owner_id, name, html } = command.data
        if (partial.status === 'active') throw new DomainError('CONFLICT', `There is a partial ${name} already`)
        return [{ type: 'PartialCreated', data: { owner_id, name, html } }]
      }
      case 'UpdatePartial': {
        const { html } = command.data
        const active = activeAt(command, partial)
        if (active.html === html) return []
        const { ownerId: owner_id, name, createdAt: created_at } = active
        return [{ type: 'PartialUpdated', data: { owner_id, name, html, created_at } }]
      }
      case 'DeletePartial':
        activeAt(command, partial)
        return [{ type: 'PartialDeleted', data: {} }]
    }
  },
}

function activeAt({ data }: UpdatePartial | DeletePartial, partial: PartialState): ActivePartial {
  if (partial.status !== 'active' || partial.ownerId !== data.owner_id) {
    throw new DomainError('PARTIAL_NOT_FOUND', `Partial ${data.partial_id} does not exist`)
  }
  if (data.if_version !== undefined && data.if_version !== partial.version) {
    throw new DomainError('PRECONDITION_FAILED', `The partial is at version ${partial.version}, not ${data.if_version}`)
  }
  return partial
}
