import type { JsonObject } from './json.ts'
import type { TemplateEvent } from './template.ts'

/** The state of a template, folded from its stream by the template service, views and renderers. */
export type TemplateState =
  | { status: 'absent' }
  | { status: 'active'; name: string; slug: string; html: string; sample_data: JsonObject; version: number }
  | { status: 'deleted'; slug: string; version: number }

export const absentTemplate: TemplateState = { status: 'absent' }

export function evolveTemplate(template: TemplateState, event: TemplateEvent): TemplateState {
  switch (event.type) {
    case 'TemplateCreated':
      return { status: 'active', ...event.data, version: 1 }
    case 'TemplateUpdated':
      return template.status === 'active' ? { ...template, ...event.data, version: template.version + 1 } : template
    case 'TemplateDeleted':
      return template.status === 'active'
        ? { status: 'deleted', slug: template.slug, version: template.version + 1 }
        : template
  }
}
