import type { Partial } from '@platen/domain/partial/partial.ts'
import type { PartialEvent } from '@platen/domain/partial/partial-events.ts'
import type { PartialState } from '@platen/domain/partial/partial-state.ts'
import { shownPartial, shownPartialDecider } from '@platen/domain/partial/shown-partial.ts'
import { type AggregateRecord, recordFold } from './aggregate-record.ts'

export type PartialRecord = AggregateRecord<PartialState>

export const partialFold = recordFold<PartialState, PartialEvent>(shownPartialDecider)

/** The partial as the API returns it; undefined if it is deleted. */
export const partialOf = (record: PartialRecord): Partial | undefined => shownPartial(record.id, record)
