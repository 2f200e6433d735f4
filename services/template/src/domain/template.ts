import { isDeepStrictEqual } from 'node:util'
import { defaultOwnerId } from '@platen/shared/contracts/owner.ts'
import type { DeleteTemplate, TemplateEvent, UpdateTemplate } from '@platen/shared/contracts/template.ts'
import {
  applyChanges,
  contentFields,
  contentOf,
  type TemplateChanges,
  type TemplateContent,
  templateLimits,
} from '@platen/shared/contracts/template-content.ts'
import {
  type ActiveTemplate,
  absentTemplate,
  evolveTemplate,
  type TemplateState,
} from '@platen/shared/contracts/template-state.ts'
import type { Decider } from '@platen/shared/event-store/decider.ts'
import { DomainError } from '@platen/shared/runtime/errors.ts'

/** The command of the gateway with the reserved slug, and the pins of the sources. */
export type CreateSluggedTemplate = {
  type: 'CreateTemplate'
  data: TemplateContent & { template_id: string; owner_id: string; slug: string }
}
/** The command of the gateway with the pins of the sources. */
export type UpdatePinnedTemplate = {
  type: 'UpdateTemplate'
  data: Omit<UpdateTemplate['data'], 'changes'> & { changes: TemplateChanges }
}
export type TemplateDecision = CreateSluggedTemplate | UpdatePinnedTemplate | DeleteTemplate

export const templateDecider: Decider<TemplateState, TemplateDecision, TemplateEvent> = {
  initialState: absentTemplate,
  evolve: evolveTemplate,
  decide(command, template) {
    switch (command.type) {
      case 'CreateTemplate': {
        if (template.status !== 'absent') return []
        const { owner_id, slug } = command.data
        const content = contentOf(command.data)
        checkSize(content)
        return [{ type: 'TemplateCreated', data: { owner_id, slug, ...content } }]
      }
      case 'UpdateTemplate': {
        const current = contentOf(activeAt(command, template))
        const changes = changedFields(current, command.data.changes)
        if (Object.keys(changes).length === 0) return []
        checkSize(applyChanges(current, changes), current)
        return [{ type: 'TemplateUpdated', data: changes }]
      }
      case 'DeleteTemplate':
        activeAt(command, template)
        return [{ type: 'TemplateDeleted', data: {} }]
    }
  },
}

function activeAt({ data }: UpdatePinnedTemplate | DeleteTemplate, template: TemplateState): ActiveTemplate {
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

/** Null removes a field. */
function changedFields(template: TemplateContent, changes: TemplateChanges): TemplateChanges {
  const changed = contentFields.filter((field) => {
    const value = changes[field]
    return value !== undefined && !isDeepStrictEqual(value ?? undefined, template[field])
  })
  return Object.fromEntries(changed.map((field) => [field, changes[field]]))
}

/** A version is restored by one event. Versions of a time without this limit may be changed if they do not grow. */
function checkSize(content: TemplateContent, before?: TemplateContent): void {
  const bytes = bytesOf(content)
  if (bytes <= templateLimits.versionBytes || (before && bytes <= bytesOf(before))) return
  throw new DomainError(
    'PAYLOAD_TOO_LARGE',
    `The template has ${bytes} bytes as JSON with all its fields; the limit is ${templateLimits.versionBytes}`,
  )
}

const bytesOf = (content: TemplateContent) => Buffer.byteLength(JSON.stringify(content))
