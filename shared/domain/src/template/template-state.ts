import { applyChanges, contentOf, type TemplateContent } from './template-content.ts'
import type { TemplateCreated, TemplateEvent, TemplateRestored, TemplateUpdated } from './template-events.ts'

/** The state of a template, folded from its stream by the template service, views and renderers. */
export type TemplateState =
  | { status: 'absent' }
  | ActiveTemplate
  | { status: 'deleted'; ownerId: string; slug: string; version: number }

export interface ActiveTemplate extends TemplateContent {
  status: 'active'
  ownerId: string
  slug: string
  version: number
}

export const absentTemplate: TemplateState = { status: 'absent' }

export function evolveTemplate(template: TemplateState, event: TemplateEvent): TemplateState {
  switch (event.type) {
    case 'TemplateCreated':
      return created(event.data)
    case 'TemplateUpdated':
      return template.status === 'active' ? updated(template, event.data) : template
    case 'TemplateDeleted':
      return template.status === 'active'
        ? { status: 'deleted', ownerId: template.ownerId, slug: template.slug, version: template.version + 1 }
        : template
    case 'TemplateRestored':
      return template.status === 'deleted' ? restored(template, event.data) : later(template)
    default:
      return later(template)
  }
}

function created({ owner_id: ownerId, slug, ...content }: TemplateCreated['data']): ActiveTemplate {
  return { status: 'active', ownerId, slug, ...contentOf(content), version: 1 }
}

function restored({ version }: { version: number }, data: TemplateRestored['data']): ActiveTemplate {
  const { owner_id: ownerId, slug } = data
  return { status: 'active', ownerId, slug, ...contentOf(data), version: version + 1 }
}

/** An event that cannot be read changes nothing, but it is a revision, and so a version. */
function later(template: TemplateState): TemplateState {
  return template.status === 'absent' ? template : { ...template, version: template.version + 1 }
}

function updated(template: ActiveTemplate, changes: TemplateUpdated['data']): ActiveTemplate {
  const { status, ownerId, slug, version } = template
  return { status, ownerId, slug, ...applyChanges(contentOf(template), changes), version: version + 1 }
}
