import type { Template } from '@platen/domain/template/template.ts'
import { contentOf } from '@platen/domain/template/template-content.ts'
import type { TemplateEvent } from '@platen/domain/template/template-events.ts'
import { absentTemplate, evolveTemplate, type TemplateState } from '@platen/domain/template/template-state.ts'
import { type AggregateRecord, recordFold } from './aggregate-record.ts'

export type TemplateRecord = AggregateRecord<TemplateState>

export const evolveTemplateRecord = recordFold<TemplateState, TemplateEvent>({
  initialState: absentTemplate,
  evolve: evolveTemplate,
  created: 'TemplateCreated',
})

/** The template as the API returns it; undefined if it is deleted. */
export function templateOf({ id, state, created_at, updated_at }: TemplateRecord): Template | undefined {
  if (state.status !== 'active') return undefined
  const { slug, version } = state
  const { name, ...content } = contentOf(state)
  return { id, name, slug, ...content, version, created_at, updated_at }
}
