import { isDeepStrictEqual } from 'node:util'
import type { JsonObject } from '@platen/shared/contracts/json.ts'
import { defaultOwnerId } from '@platen/shared/contracts/owner.ts'
import type { DeleteTemplate, TemplateEvent, UpdateTemplate } from '@platen/shared/contracts/template.ts'
import { absentTemplate, evolveTemplate, type TemplateState } from '@platen/shared/contracts/template-state.ts'
import type { Decider } from '@platen/shared/event-store/decider.ts'
import { DomainError } from '@platen/shared/runtime/errors.ts'

/** The command of the gateway with the reserved slug. */
export type CreateSluggedTemplate = {
  type: 'CreateTemplate'
  data: {
    template_id: string
    owner_id: string
    name: string
    slug: string
    html: string
    sample_data: JsonObject
  }
}
export type TemplateDecision = CreateSluggedTemplate | UpdateTemplate | DeleteTemplate

export const templateDecider: Decider<TemplateState, TemplateDecision, TemplateEvent> = {
  initialState: absentTemplate,
  evolve: evolveTemplate,
  decide(command, template) {
    switch (command.type) {
      case 'CreateTemplate': {
        if (template.status !== 'absent') return []
        const { owner_id, name, slug, html, sample_data } = command.data
        return [{ type: 'TemplateCreated', data: { owner_id, name, slug, html, sample_data } }]
      }
      case 'UpdateTemplate': {
        const changes = changedFields(activeAt(command, template), command.data.changes)
        return Object.keys(changes).length === 0 ? [] : [{ type: 'TemplateUpdated', data: changes }]
      }
      case 'DeleteTemplate':
        activeAt(command, template)
        return [{ type: 'TemplateDeleted', data: {} }]
    }
  },
}

type ActiveTemplate = Extract<TemplateState, { status: 'active' }>

function activeAt({ data }: UpdateTemplate | DeleteTemplate, template: TemplateState): ActiveTemplate {
  if (template.status !== 'active' || template.ownerId !== (data.owner_id ?? defaultOwnerId)) {
    throw new DomainError('TEMPLATE_NOT_FOUND', `Template ${data.template_id} does not exist`)
  }
  if (data.if_version !== undefined && data.if_version !== template.version) {
    throw new DomainError(
      'PRECONDITION_FAILED',
      `The template is at version ${template.version}, not ${data.if_version}`,
    )
  }
  return template
}

function changedFields(template: ActiveTemplate, { name, html, sample_data }: UpdateTemplate['data']['changes']) {
  return {
    ...(name !== undefined && name !== template.name && { name }),
    ...(html !== undefined && html !== template.html && { html }),
    ...(sample_data !== undefined && !isDeepStrictEqual(sample_data, template.sample_data) && { sample_data }),
  }
}
