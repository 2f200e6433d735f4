import { shownTemplate, shownTemplateDecider } from '@platen/domain/template/shown-template.ts'
import type { Template } from '@platen/domain/template/template.ts'
import type { TemplateEvent } from '@platen/domain/template/template-events.ts'
import type { TemplateState } from '@platen/domain/template/template-state.ts'
import { type AggregateRecord, recordFold } from './aggregate-record.ts'

export type TemplateRecord = AggregateRecord<TemplateState>

export const templateFold = recordFold<TemplateState, TemplateEvent>(shownTemplateDecider)

/** The template as the API returns it; undefined if it is deleted. */
export const templateOf = (record: TemplateRecord): Template | undefined => shownTemplate(record.id, record)
