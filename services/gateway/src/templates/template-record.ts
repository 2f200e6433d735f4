import type { Template, TemplateEvent } from '@platen/shared/contracts/template.ts'
import { absentTemplate, evolveTemplate, type TemplateState } from '@platen/shared/contracts/template-state.ts'
import type { StoredEvent } from '@platen/shared/event-store/event-store.ts'
import { domainEvent } from '@platen/shared/event-store/handle-command.ts'

/** A template with what HTTP tells of it beside its state: when it changed, and up to which event it is known. */
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
    id: aggregateId(stored.stream),
    state: evolveTemplate(record?.state ?? absentTemplate, domainEvent<TemplateEvent>(stored)),
    revision: stored.revision,
    created_at: record?.created_at ?? time,
    updated_at: time,
  }
}

/** As HTTP answers it; undefined for a deleted one. */
export function templateOf({ id, state, created_at, updated_at }: TemplateRecord): Template | undefined {
  if (state.status !== 'active') return undefined
  const { name, slug, html, sample_data, version } = state
  return { id, name, slug, html, sample_data, version, created_at, updated_at }
}

/** `template-tpl_…` → `tpl_…`. */
export function aggregateId(stream: string): string {
  return stream.slice(stream.indexOf('-') + 1)
}

/** When the command behind the event was accepted. */
export function timeOf({ metadata, recordedAt }: StoredEvent): string {
  return typeof metadata.time === 'string' ? metadata.time : recordedAt.toISOString()
}
