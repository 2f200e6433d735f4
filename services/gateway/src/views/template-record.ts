import { shownTemplate, shownTemplateDecider } from '@platen/domain/template/shown-template.ts'
import type { ListedTemplate, Template } from '@platen/domain/template/template.ts'
import type { TemplateEvent } from '@platen/domain/template/template-events.ts'
import type { TemplateState } from '@platen/domain/template/template-state.ts'
import { type AggregateRecord, recordFold } from './aggregate-record.ts'

export type TemplateRecord = AggregateRecord<TemplateState>

export const templateFold = recordFold<TemplateState, TemplateEvent>(shownTemplateDecider)

/** A deleted template as a list shows it; undefined if it is active. */
export function deletedTemplateOf({ id, state, created_at, updated_at }: TemplateRecord): ListedTemplate | undefined {
  if (state.status !== 'deleted') return undefined
  const { name, slug, version } = state
  return { id, name, slug, version, created_at, updated_at, deleted_at: updated_at }
}

/** The template as the API returns it; undefined if it is deleted. */
export const templateOf = (record: TemplateRecord): Template | undefined => shownTemplate(record.id, record)
