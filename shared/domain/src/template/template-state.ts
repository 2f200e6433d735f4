import type { EventPlace, Unreadable } from '@platen/event-store/decider.ts'
import { contentOf, type TemplateContent } from './template-content.ts'
import type { TemplateEvent } from './template-events.ts'

/** The state of a template, folded from its stream by the template service, views and renderers. */
export type TemplateState = { status: 'absent' } | ActiveTemplate | DeletedTemplate

interface KnownTemplate {
  ownerId: string
  slug: string
  version: number
  /** RFC 3339. */
  createdAt: string
}
export type ActiveTemplate = KnownTemplate & TemplateContent & { status: 'active' }
export type DeletedTemplate = KnownTemplate & { status: 'deleted'; name: string }

export const absentTemplate: TemplateState = { status: 'absent' }

/** Every event but the deletion has the whole content. */
export function isWholeTemplate({ type }: TemplateEvent | Unreadable): boolean {
  switch (type) {
    case 'TemplateCreated':
    case 'TemplateUpdated':
    case 'TemplateRestored':
      return true
    case 'TemplateDeleted':
    case '$unreadable':
      return false
  }
}

export function evolveTemplate(
  template: TemplateState,
  event: TemplateEvent | Unreadable,
  at: EventPlace,
): TemplateState {
  const version = at.revision + 1
  switch (event.type) {
    case 'TemplateCreated':
    case 'TemplateUpdated':
    case 'TemplateRestored': {
      const { owner_id: ownerId, slug } = event.data
      const createdAt = event.type === 'TemplateCreated' ? at.time : event.data.created_at
      return { status: 'active', ownerId, slug, ...contentOf(event.data), version, createdAt }
    }
    case 'TemplateDeleted':
      return template.status === 'active' ? deleted(template, version) : template
    case '$unreadable':
      // It changes nothing, but it is a revision, and so a version.
      return template.status === 'absent' ? template : { ...template, version }
  }
}

function deleted({ ownerId, slug, name, createdAt }: ActiveTemplate, version: number): TemplateState {
  return { status: 'deleted', ownerId, slug, name, version, createdAt }
}
