import type { CommandMetadata } from '@platen/shared/contracts/command.ts'
import type { EventStore } from '@platen/shared/event-store/event-store.ts'
import { handleCommand } from '@platen/shared/event-store/handle-command.ts'
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

export async function releaseSlug({ store, templateId, metadata }: SlugOwner, slug: string): Promise<void> {
  await handleCommand({
    store,
    decider: slugDecider,
    stream: `slug-${slug}`,
    command: { type: 'ReleaseSlug', data: { template_id: templateId }, metadata },
  })
}
