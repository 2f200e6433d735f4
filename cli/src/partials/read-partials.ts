import type { PartialEvent } from '@platen/shared/contracts/partial.ts'
import { absentPartial, evolvePartial, type PartialState } from '@platen/shared/contracts/partial-state.ts'
import type { EventStore } from '@platen/shared/event-store/event-store.ts'
import { domainEvent } from '@platen/shared/event-store/handle-command.ts'
import { aggregateIdOf } from '@platen/shared/event-store/stream-name.ts'
import { history } from '../frame/history.ts'

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
