import { DomainError } from '@platen/domain/http/errors.ts'
import { templateDecider } from '@platen/domain/template/decide-template.ts'
import { templateStream } from '@platen/domain/template/template-events.ts'
import type { ActiveTemplate } from '@platen/domain/template/template-state.ts'
import type { EventStore } from '@platen/event-store/event-store.ts'
import { load } from '@platen/event-store/handle-command.ts'

/** A template at a version. Throws TEMPLATE_NOT_FOUND, also if that version is the deletion of the template. */
export async function readVersion(store: EventStore, templateId: string, version: number): Promise<ActiveTemplate> {
  const { state } = await load(store, templateDecider, templateStream(templateId), { version })
  if (state.status === 'active' && state.version === version) return state
  const isDeletion = state.status === 'deleted' && state.version === version
  throw new DomainError(
    'TEMPLATE_NOT_FOUND',
    isDeletion
      ? `Version ${version} of template ${templateId} is its deletion; an earlier one can be restored`
      : `Template ${templateId} has no version ${version}`,
  )
}
