import { DomainError } from '@platen/domain/http/errors.ts'
import { templateDecider } from '@platen/domain/template/decide-template.ts'
import type { CreateTemplate, RestoreTemplate } from '@platen/domain/template/template.ts'
import { templateStream } from '@platen/domain/template/template-events.ts'
import type { TemplateState } from '@platen/domain/template/template-state.ts'
import type { EventStore } from '@platen/event-store/event-store.ts'
import { handleCommand } from '@platen/event-store/handle-command.ts'
import type { Envelope } from '@platen/foundation/command.ts'
import { hasSlug } from './reserve-slug.ts'

/**
 * To be called before the creation or restoration of a template is answered. If another template has taken the slug
 * because this process was suspended, the template is deleted again, and the command refused. Throws DomainError
 * SERVICE_UNAVAILABLE, or CONFLICT for a restore.
 */
export async function keepSlug(
  store: EventStore,
  command: Envelope<CreateTemplate | RestoreTemplate>,
  state: TemplateState,
): Promise<void> {
  const { template_id, owner_id } = command.data
  if (state.status === 'absent') return
  const { slug } = state
  if (state.status === 'active') {
    const { metadata } = command
    if (await hasSlug({ store, ownerId: owner_id, templateId: template_id, metadata }, slug)) return
    if (!(await deleteAgain(store, command))) return
  }
  // Deleted by this command, now or before it was delivered again.
  if (command.type === 'RestoreTemplate') {
    throw new DomainError('CONFLICT', `Another template has the slug ${slug} of the deleted template now`)
  }
  throw new DomainError('SERVICE_UNAVAILABLE', `Another template got the slug ${slug} during the creation; retry`)
}

/** False if the template was deleted by another command since. */
async function deleteAgain(
  store: EventStore,
  { data: { template_id, owner_id }, metadata }: Envelope<CreateTemplate | RestoreTemplate>,
): Promise<boolean> {
  const command = { type: 'DeleteTemplate' as const, data: { template_id, owner_id }, metadata }
  const stream = templateStream(template_id)
  try {
    await handleCommand({ store, decider: templateDecider, stream, command, attempt: 'slug lost', recordKey: true })
    return true
  } catch (err) {
    if (err instanceof DomainError) return false
    throw err
  }
}
