import type { PartialEvent } from '@platen/domain/partial/partial-events.ts'
import { absentPartial, evolvePartial, type PartialState } from '@platen/domain/partial/partial-state.ts'
import type { EventStore } from '@platen/event-store/event-store.ts'
import { domainEvent } from '@platen/event-store/handle-command.ts'
import { aggregateIdOf } from '@platen/event-store/stream-name.ts'
import { history } from '../../frame/history.ts'

export interface OwnedPartial {
  id: string
  name: string
  ownerId: string
  html: string
  version: number
}

/** All partials that are not deleted, of one owner or of all, by name. */
export async function readPartials(store: EventStore, ownerId: string | undefined): Promise<OwnedPartial[]> {
  const states = new Map<string, PartialState>()
  for await (const event of history(store, { categories: ['partial'] })) {
    const id = aggregateIdOf(event.stream)
    states.set(id, evolvePartial(states.get(id) ?? absentPartial, domainEvent<PartialEvent>(event)))
  }
  return [...states]
    .flatMap(([id, state]) => (state.status === 'active' ? [{ id, ...state }] : []))
    .filter((partial) => ownerId === undefined || partial.ownerId === ownerId)
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}
