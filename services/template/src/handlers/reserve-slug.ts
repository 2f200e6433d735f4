import type { CommandMetadata } from '@platen/shared/contracts/command.ts'
import { slugStream } from '@platen/shared/contracts/template.ts'
import type { EventStore } from '@platen/shared/event-store/event-store.ts'
import { handleCommand, load } from '@platen/shared/event-store/handle-command.ts'
import { slugCandidate, slugDecider, slugify } from '../domain/slug.ts'

interface SlugHolder {
  store: EventStore
  ownerId: string
  templateId: string
  metadata: CommandMetadata
}

/** Reserves the owner's first free slug for the name. A repeated call returns the same slug. */
export async function reserveSlug({ store, ownerId, templateId, metadata }: SlugHolder, name: string): Promise<string> {
  const base = slugify(name)
  for (let attempt = 1; ; attempt++) {
    const slug = slugCandidate(base, attempt)
    const { state } = await handleCommand({
      store,
      decider: slugDecider,
      stream: slugStream(ownerId, slug),
      command: { type: 'ReserveSlug', data: { template_id: templateId }, metadata },
    })
    if (state.heldBy === templateId) return slug
  }
}

/** Releases the slug that `reserveSlug` has reserved for the template, if any. */
export async function releaseHeldSlug(holder: SlugHolder, name: string): Promise<void> {
  const { store, ownerId, templateId } = holder
  const base = slugify(name)
  for (let attempt = 1; ; attempt++) {
    const slug = slugCandidate(base, attempt)
    const { heldBy } = (await load(store, slugDecider, slugStream(ownerId, slug))).state
    if (heldBy === templateId) await releaseSlug(holder, slug)
    if (heldBy === templateId || heldBy === undefined) return
  }
}

export async function releaseSlug({ store, ownerId, templateId, metadata }: SlugHolder, slug: string): Promise<void> {
  await handleCommand({
    store,
    decider: slugDecider,
    stream: slugStream(ownerId, slug),
    command: { type: 'ReleaseSlug', data: { template_id: templateId }, metadata },
  })
}
