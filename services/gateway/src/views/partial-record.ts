import type { Partial } from '@platen/domain/partial/partial.ts'
import type { PartialEvent } from '@platen/domain/partial/partial-events.ts'
import { absentPartial, evolvePartial, type PartialState } from '@platen/domain/partial/partial-state.ts'
import { type AggregateRecord, recordFold } from './aggregate-record.ts'

export type PartialRecord = AggregateRecord<PartialState>

export const evolvePartialRecord = recordFold<PartialState, PartialEvent>({
  initialState: absentPartial,
  evolve: evolvePartial,
  created: 'PartialCreated',
})

/** The partial as the API returns it; undefined if it is deleted. */
export function partialOf({ id, state, created_at, updated_at }: PartialRecord): Partial | undefined {
  if (state.status !== 'active') return undefined
  const { name, html, version } = state
  return { id, name, html, version, created_at, updated_at }
}
