import type { Partial } from '@platen/domain/partial/partial.ts'
import type { PartialEvent } from '@platen/domain/partial/partial-events.ts'
import { absentPartial, evolvePartial, type PartialState } from '@platen/domain/partial/partial-state.ts'
import type { StoredEvent } from '@platen/event-store/event-store.ts'
import { domainEvent } from '@platen/event-store/handle-command.ts'
import { aggregateIdOf } from '@platen/event-store/stream-name.ts'
import { timeOf } from './time-of.ts'

/** A partial with the fields of the API that are not part of its state, and the revision of its last event. */
export interface PartialRecord {
  id: string
  state: PartialState
  revision: number
  created_at: string
  updated_at: string
}

export function evolvePartialRecord(record: PartialRecord | undefined, stored: StoredEvent): PartialRecord {
  const time = timeOf(stored)
  const isCreated = stored.type === 'PartialCreated'
  return {
    id: aggregateIdOf(stored.stream),
    state: evolvePartial(record?.state ?? absentPartial, domainEvent<PartialEvent>(stored)),
    revision: stored.revision,
    created_at: isCreated ? time : (record?.created_at ?? time),
    updated_at: time,
  }
}

/** The partial as the API returns it; undefined if it is deleted. */
export function partialOf({ id, state, created_at, updated_at }: PartialRecord): Partial | undefined {
  if (state.status !== 'active') return undefined
  const { name, html, version } = state
  return { id, name, html, version, created_at, updated_at }
}
