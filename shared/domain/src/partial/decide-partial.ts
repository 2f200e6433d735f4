import type { Decider } from '@platen/event-store/decider.ts'
import { DomainError } from '../http/errors.ts'
import type { DeletePartial, PartialCommand, UpdatePartial } from './partial.ts'
import type { PartialEvent } from './partial-events.ts'
import { absentPartial, evolvePartial, type PartialState } from './partial-state.ts'

export const partialDecider: Decider<PartialState, PartialCommand, PartialEvent> = {
  initialState: absentPartial,
  evolve: evolvePartial,
  decide(command, partial) {
    switch (command.type) {
      case 'CreatePartial': {
        const { owner_id, name, html } = command.data
        if (partial.status === 'active') throw new DomainError('CONFLICT', `There is a partial ${name} already`)
        return [{ type: 'PartialCreated', data: { owner_id, name, html } }]
      }
      case 'UpdatePartial': {
        const { html } = command.data
        return activeAt(command, partial).html === html ? [] : [{ type: 'PartialUpdated', data: { html } }]
      }
      case 'DeletePartial':
        activeAt(command, partial)
        return [{ type: 'PartialDeleted', data: {} }]
    }
  },
}

type ActivePartial = Extract<PartialState, { status: 'active' }>

function activeAt({ data }: UpdatePartial | DeletePartial, partial: PartialState): ActivePartial {
  if (partial.status !== 'active' || partial.ownerId !== data.owner_id) {
    throw new DomainError('PARTIAL_NOT_FOUND', `Partial ${data.partial_id} does not exist`)
  }
  if (data.if_version !== undefined && data.if_version !== partial.version) {
    throw new DomainError('PRECONDITION_FAILED', `The partial is at version ${partial.version}, not ${data.if_version}`)
  }
  return partial
}
