import type { JsonObject } from './json.ts'
import { defaultOwnerId } from './owner.ts'
import type { TemplateCreated, TemplateEvent } from './template.ts'

/** The state of a template, folded from its stream by the template service, views and renderers. */
export type TemplateState =
  | { status: 'absent' }
  | {
      status: 'active'
      ownerId: string
      name: string
      slug: string
      html: string
      sample_data: JsonObject
      version: number
    }
  | { status: 'deleted'; ownerId: string; slug: string; version: number }

export const absentTemplate: TemplateState = { status: 'absent' }

export function evolveTemplate(template: TemplateState, event: TemplateEvent): TemplateState {
  switch (event.type) {
    case 'TemplateCreated':
      return created(event.data)
    case 'TemplateUpdated':
      return template.status === 'active' ? { ...template, ...event.data, version: template.version + 1 } : template
    case 'TemplateDeleted':
      return template.status === 'active'
        ? { status: 'deleted', ownerId: template.ownerId, slug: template.slug, version: template.version + 1 }
        : template
    default:
      // An event that cannot be read changes nothing, but it is a revision, and so a version.
      return template.status === 'active' ? { ...template, version: template.version + 1 } : template
  }
}

function created({ owner_id = defaultOwnerId, ...fields }: TemplateCreated['data']): TemplateState {
  return { status: 'active', ownerId: owner_id, ...fields, version: 1 }
}
