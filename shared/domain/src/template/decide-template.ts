import { isDeepStrictEqual } from 'node:util'
import type { WholeDecider } from '@platen/event-store/decider.ts'
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
import {
  type ActiveTemplate,
  absentTemplate,
  evolveTemplate,
  isWholeTemplate,
  type TemplateState,
} from './template-state.ts'

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

export const templateDecider: WholeDecider<TemplateState, TemplateDecision, TemplateEvent> = {
  initialState: absentTemplate,
  evolve: evolveTemplate,
  isWhole: isWholeTemplate,
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
        const active = activeAt(command, template)
        const content = applyChanges(contentOf(active), command.data.changes)
        const changed = changedFields(active, content)
        if (changed.length === 0) return []
        checkSize(content)
        return [updated(active, content, { changed })]
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
    return [{ type: 'TemplateRestored', data: { ...identity(template), ...content, restored_from } }]
  }
  const changed = changedFields(template, content)
  return changed.length === 0 ? [] : [updated(template, content, { changed, restored_from })]
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

function updated(
  template: ActiveTemplate,
  content: TemplateContent,
  change: { changed: string[]; restored_from?: number },
): TemplateEvent {
  return { type: 'TemplateUpdated', data: { ...identity(template), ...content, ...change } }
}

/** Fields that never change. */
function identity({ ownerId: owner_id, slug, createdAt: created_at }: ExistingTemplate) {
  return { owner_id, slug, created_at }
}

function changedFields(before: TemplateContent, after: TemplateContent): string[] {
  return contentFields.filter((field) => !isDeepStrictEqual(after[field], before[field]))
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
