import { DomainError } from '@platen/domain/http/errors.ts'
import type { RestoreContent } from '@platen/domain/template/decide-template.ts'
import type { RestoreTemplate } from '@platen/domain/template/template.ts'
import { contentOf } from '@platen/domain/template/template-content.ts'
import type { TemplateState } from '@platen/domain/template/template-state.ts'
import type { EventStore } from '@platen/event-store/event-store.ts'
import type { Envelope } from '@platen/foundation/command.ts'
import { DependencyUnavailable } from '@platen/foundation/errors/errors.ts'
import { readVersion } from './read-version.ts'
import { releaseSlug, reserveExactly } from './reserve-slug.ts'

export interface RestoreOptions<Decided> {
  store: EventStore
  now: () => number
  decide: (command: Envelope<RestoreContent>) => Promise<Decided>
}

/**
 * Makes a version the newest again, with the pins of its partials and assets. A deleted template gets its slug back. Throws
 * TEMPLATE_NOT_FOUND, and CONFLICT if another template has the slug.
 */
export async function restoreTemplate<Decided>(
  { store, now, decide }: RestoreOptions<Decided>,
  command: Envelope<RestoreTemplate>,
  state: TemplateState,
): Promise<Decided> {
  const { template_id: templateId, owner_id, version } = command.data
  if (state.status === 'absent' || state.ownerId !== owner_id) {
    throw new DomainError('TEMPLATE_NOT_FOUND', `Template ${templateId} does not exist`)
  }
  const content = contentOf(await readVersion(store, templateId, version))
  const decided = { ...command, data: { ...command.data, content } }
  if (state.status === 'active') return decide(decided)

  const { slug } = state
  const holder = { store, ownerId: owner_id, templateId, metadata: command.metadata }
  const heldBy = await reserveExactly(holder, slug, now())
  if (heldBy !== templateId) {
    throw new DomainError('CONFLICT', `Template ${heldBy} has the slug ${slug} of the deleted template now`)
  }
  try {
    return await decide(decided)
  } catch (err) {
    if (!(err instanceof DependencyUnavailable)) await releaseSlug(holder, slug)
    throw err
  }
}
