import { slugCandidate, slugDecider, slugify } from '@platen/domain/template/slug.ts'
import { slugStream } from '@platen/domain/template/slug-events.ts'
import { templateStream } from '@platen/domain/template/template-events.ts'
import type { EventStore } from '@platen/event-store/event-store.ts'
import { handleCommand, load } from '@platen/event-store/handle-command.ts'
import type { CommandMetadata } from '@platen/foundation/command.ts'

interface SlugHolder {
  store: EventStore
  ownerId: string
  templateId: string
  metadata: CommandMetadata
}

/** A reservation without a template, or with a deleted one, is abandoned after this time: a command is refused seconds after it was sent. */
const abandonedAfterMs = 600_000

/** Reserves the owner's first free slug for the name. A repeated call returns the same slug. */
export async function reserveSlug(holder: SlugHolder, name: string, nowMs: number): Promise<string> {
  const base = slugify(name)
  for (let attempt = 1; ; attempt++) {
    const slug = slugCandidate(base, attempt)
    if ((await reserveExactly(holder, slug, nowMs)) === holder.templateId) return slug
  }
}

/** Returns the id of the template that has the slug now. */
export async function reserveExactly(holder: SlugHolder, slug: string, nowMs: number): Promise<string | undefined> {
  const { store, ownerId, templateId, metadata } = holder
  const reserve = async () => {
    const command = { type: 'ReserveSlug' as const, data: { template_id: templateId }, metadata }
    const { state } = await handleCommand({ store, decider: slugDecider, stream: slugStream(ownerId, slug), command })
    return state.heldBy
  }
  const heldBy = await reserve()
  if (heldBy === undefined || heldBy === templateId || !(await isAbandoned(holder, { slug, heldBy, nowMs })))
    return heldBy
  await releaseSlug({ ...holder, templateId: heldBy }, slug)
  return reserve()
}

/** Whether the process that reserved the slug has stopped, and its command was lost before it created or restored the template. */
async function isAbandoned(
  { store, ownerId }: SlugHolder,
  { slug, heldBy, nowMs }: { slug: string; heldBy: string; nowMs: number },
): Promise<boolean> {
  for await (const { type } of store.readStream(templateStream(heldBy), { backwards: true, limit: 1 })) {
    if (type !== 'TemplateDeleted') return false
  }
  for await (const { recordedAt } of store.readStream(slugStream(ownerId, slug), { backwards: true, limit: 1 })) {
    return nowMs - recordedAt.getTime() > abandonedAfterMs
  }
  return false
}

/** Releases the slug that `reserveSlug` has reserved for the template, if any. */
export async function releaseHeldSlug(holder: SlugHolder, name: string): Promise<void> {
  const { store, ownerId, templateId } = holder
  const base = slugify(name)
  for (let attempt = 1; ; attempt++) {
    const slug = slugCandidate(base, attempt)
    const { state, revision } = await load(store, slugDecider, slugStream(ownerId, slug))
    if (state.heldBy === templateId) return releaseSlug(holder, slug)
    // A free slug does not end the search: it may have been released since the reservation.
    if (revision === 'none') return
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
