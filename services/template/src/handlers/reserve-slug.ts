import type { CommandMetadata } from '@platen/shared/contracts/command.ts'
import type { EventStore } from '@platen/shared/event-store/event-store.ts'
import { handleCommand, load } from '@platen/shared/event-store/handle-command.ts'
import { slugCandidate, slugDecider, slugify } from '../domain/slug.ts'

interface SlugOwner {
  store: EventStore
  templateId: string
  metadata: CommandMetadata
}

/** Reserves the first free slug for the name. A repeated call returns the same slug. */
export async function reserveSlug({ store, templateId, metadata }: SlugOwner, name: string): Promise<string> {
  const base = slugify(name)
  for (let attempt = 1; ; attempt++) {
    const slug = slugCandidate(base, attempt)
    const { state } = await handleCommand({
      store,
      decider: slugDecider,
      stream: `slug-${slug}`,
      command: { type: 'ReserveSlug', data: { template_id: templateId }, metadata },
    })
    if (state.heldBy === templateId) return slug
  }
}

/** Releases the slug that `reserveSlug` has reserved for the template, if any. */
export async function releaseHeldSlug(owner: SlugOwner, name: string): Promise<void> {
  const base = slugify(name)
  for (let attempt = 1; ; attempt++) {
    const slug = slugCandidate(base, attempt)
    const { heldBy } = (await load(owner.store, slugDecider, `slug-${slug}`)).state
    if (heldBy === owner.templateId) await releaseSlug(owner, slug)
    if (heldBy === owner.templateId || heldBy === undefined) return
  }
}

export async function releaseSlug({ store, templateId, metadata }: SlugOwner, slug: string): Promise<void> {
  await handleCommand({
    store,
    decider: slugDecider,
    stream: `slug-${slug}`,
    command: { type: 'ReleaseSlug', data: { template_id: templateId }, metadata },
  })
}
