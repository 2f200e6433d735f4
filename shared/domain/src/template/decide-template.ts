import { isDeepStrictEqual } from 'node:util'
import type { Decider } from '@platen/event-store/decider.ts'
import { stringifyExact } from '@platen/foundation/json/exact-json.ts'
import { DomainError } from '../http/errors.ts'
import type { DeleteTemplate, RestoreTemplate, UpdateTemplate } from './template.ts'
import {
  applyChanges,
  contentFields,
  contentOf,
  type TemplateChanges,
  type TemplateContent,
  templateLimits,
} from './template-content.ts'
import type { TemplateEvent } from './template-events.ts'
import { type ActiveTemplate, absentTemplate, evolveTemplate, type TemplateState } from './template-state.ts'

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
/** The command of the gateway with the content of the version. The slug is reserved if the template is deleted. */
export type RestoreContent = {
  type: 'RestoreTemplate'
  data: RestoreTemplate['data'] & { content: TemplateContent }
}
export type TemplateDecision = CreateSluggedTemplate | UpdatePinnedTemplate | DeleteTemplate | RestoreContent

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
        checkSize(applyChanges(current, changes))
        return [{ type: 'TemplateUpdated', data: changes }]
      }
      case 'RestoreTemplate':
        return restore(command, existingAt(command, template))
      case 'DeleteTemplate':
        activeAt(command, template)
        return [{ type: 'TemplateDeleted', data: {} }]
    }
  },
}

function restore({ data }: RestoreContent, template: ExistingTemplate): TemplateEvent[] {
  const { content, version: restored_from } = data
  if (template.status === 'deleted') {
    const { ownerId: owner_id, slug } = template
    return [{ type: 'TemplateRestored', data: { owner_id, slug, ...content, restored_from } }]
  }
  const none = Object.fromEntries(contentFields.map((field) => [field, null]))
  const changes = changedFields(contentOf(template), { ...none, ...content })
  return Object.keys(changes).length === 0 ? [] : [{ type: 'TemplateUpdated', data: { ...changes, restored_from } }]
}

type ExistingTemplate = Exclude<TemplateState, { status: 'absent' }>

function activeAt(command: UpdatePinnedTemplate | DeleteTemplate, template: TemplateState): ActiveTemplate {
  const existing = existingAt(command, template)
  return existing.status === 'active' ? existing : notFound(command)
}

/** Active or deleted. */
function existingAt(
  command: UpdatePinnedTemplate | DeleteTemplate | RestoreContent,
  template: TemplateState,
): ExistingTemplate {
  const { owner_id, if_version } = command.data
  if (template.status === 'absent' || template.ownerId !== owner_id) return notFound(command)
  const isDeleted = template.status === 'deleted' && command.type !== 'RestoreTemplate'
  if (if_version !== undefined && if_version !== template.version && !isDeleted) {
    throw new DomainError('PRECONDITION_FAILED', `The template is at version ${template.version}, not ${if_version}`)
  }
  return template
}

function notFound({ data }: { data: { template_id: string } }): never {
  throw new DomainError('TEMPLATE_NOT_FOUND', `Template ${data.template_id} does not exist`)
}

/** Null removes a field. */
function changedFields(template: TemplateContent, changes: TemplateChanges): TemplateChanges {
  const changed = contentFields.filter((field) => {
    const value = changes[field]
    return value !== undefined && !isDeepStrictEqual(value ?? undefined, template[field])
  })
  return Object.fromEntries(changed.map((field) => [field, changes[field]]))
}

/** A version is restored by one event. */
function checkSize(content: TemplateContent): void {
  const bytes = Buffer.byteLength(stringifyExact(content))
  if (bytes <= templateLimits.versionBytes) return
  throw new DomainError(
    'PAYLOAD_TOO_LARGE',
    `The template has ${bytes} bytes as JSON with all its fields; the limit is ${templateLimits.versionBytes}`,
  )
}
