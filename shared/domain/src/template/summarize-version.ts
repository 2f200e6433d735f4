import type { StoredEvent } from '@platen/event-store/event-store.ts'
import { contentFields } from './template-content.ts'
import type { TemplateVersionSummary } from './template-versions.ts'

const changes = {
  TemplateCreated: 'created',
  TemplateUpdated: 'updated',
  TemplateDeleted: 'deleted',
  TemplateRestored: 'restored',
} as const

/** The summary of a version from the event that made it, without labels. */
export function summarizeVersion({ type, data, revision, metadata, recordedAt }: StoredEvent): TemplateVersionSummary {
  const fields = Object(data) as Record<string, unknown>
  const { time, correlation_id: request_id, api_key_id } = metadata
  const { restored_from, changed = Object.keys(fields) } = fields
  return {
    version: revision + 1,
    created_at: typeof time === 'string' ? time : recordedAt.toISOString(),
    change: Object.hasOwn(changes, type) ? changes[type as keyof typeof changes] : 'updated',
    changed: contentFields.filter((field) => Array.isArray(changed) && changed.includes(field)),
    ...(typeof restored_from === 'number' && { restored_from }),
    labels: [],
    ...(typeof request_id === 'string' && { request_id }),
    ...(typeof api_key_id === 'string' && { api_key_id }),
  }
}
