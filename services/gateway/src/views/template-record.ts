import type { Template } from '@platen/domain/template/template.ts'
import { contentOf } from '@platen/domain/template/template-content.ts'
import type { TemplateEvent } from '@platen/domain/template/template-events.ts'
import { absentTemplate, evolveTemplate, type TemplateState } from '@platen/domain/template/template-state.ts'
import type { StoredEvent } from '@platen/event-store/event-store.ts'
import { domainEvent } from '@platen/event-store/handle-command.ts'
import { aggregateIdOf } from '@platen/event-store/stream-name.ts'
import { timeOf } from './time-of.ts'

/** A template with the fields of the API that are not part of its state, and the revision of its last event. */
export interface TemplateRecord {
  id: string
  state: TemplateState
  revision: number
  created_at: string
  updated_at: string
}

export function evolveTemplateRecord(record: TemplateRecord | undefined, stored: StoredEvent): TemplateRecord {
  const time = timeOf(stored)
  return {
    id: aggregateIdOf(stored.stream),
    state: evolveTemplate(record?.state ?? absentTemplate, domainEvent<TemplateEvent>(stored)),
    revision: stored.revision,
    created_at: record?.created_at ?? time,
    updated_at: time,
  }
}

/** The template as the API returns it; undefined if it is deleted. */
export function templateOf({ id, state, created_at, updated_at }: TemplateRecord): Template | undefined {
  if (state.status !== 'active') return undefined
  const { slug, version } = state
  const { name, ...content } = contentOf(state)
  return { id, name, slug, ...content, version, created_at, updated_at }
}
