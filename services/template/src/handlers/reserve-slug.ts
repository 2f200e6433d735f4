import { randomUUID } from 'node:crypto'
import { DomainError } from '@platen/domain/http/errors.ts'
import { slugCandidate, slugify } from '@platen/domain/template/slugify.ts'
import { type TemplateEvent, templateStream } from '@platen/domain/template/template-events.ts'
import type { StoredEvent } from '@platen/event-store/event-store.ts'
import { domainEvent } from '@platen/event-store/handle-command.ts'
import { firstFree } from './first-free.ts'
import { changeSlug, readSlug, type SlugHolder } from './slug-stream.ts'

// A slug and its template are in two streams, and any process may be suspended between two appends. A process that
// creates or restores a template reserves the slug, appends to the template, and then checks that it still has the
// slug. A process that releases a slug first takes over the reservation, and then checks whether the template uses the
// slug. Of two processes that do so at the same time, at least one sees the other.

/**
 * After this time, a slug that its template does not use is free for others. A slower process loses it, and finds out.
 */
const abandonedAfterMs = 60_000

/** Reserves a free slug of the owner for the name. */
export async function reserveSlug(holder: SlugHolder, name: string, nowMs: number): Promise<string> {
  const base = slugify(name)
  for (;;) {
    const attempt = await firstFree((attempt) => isFree(holder, slugCandidate(base, attempt), nowMs))
    const slug = slugCandidate(base, attempt)
    if ((await reserveExactly(holder, slug, nowMs)) === holder.templateId) return slug
  }
}

/** Reserves this slug of the owner. Throws CONFLICT if another template has it, SERVICE_UNAVAILABLE if one may get it. */
export async function reserveChosen(holder: SlugHolder, slug: string, nowMs: number): Promise<string> {
  const heldBy = await reserveExactly(holder, slug, nowMs)
  if (heldBy === holder.templateId) return slug
  const isTaken = heldBy !== undefined && (await isUsed({ ...holder, templateId: heldBy }, slug))
  if (isTaken) throw new DomainError('CONFLICT', `Template ${heldBy} has the slug ${slug}`)
  // It is unknown whether the command of the reservation will succeed, as its process may have been stopped.
  const problem = `Another template with the slug ${slug} is being created or restored; retry`
  throw new DomainError('SERVICE_UNAVAILABLE', problem, { details: { slug } })
}

/** Returns the id of the template that has the slug now. */
export async function reserveExactly(holder: SlugHolder, slug: string, nowMs: number): Promise<string | undefined> {
  const heldBy = await holderOf(holder, slug)
  if (heldBy === undefined || heldBy === holder.templateId || !(await isFree(holder, slug, nowMs))) return heldBy
  await releaseSlug({ ...holder, templateId: heldBy }, slug)
  return holderOf(holder, slug)
}

/**
 * Whether the created or restored template has the slug. If not, another template took it while the process was
 * suspended, or after its command was refused.
 */
export async function hasSlug(holder: SlugHolder, slug: string): Promise<boolean> {
  return (await holderOf(holder, slug)) === holder.templateId
}

/** Who has the slug after it was reserved for the template, if it was free or the template's. */
async function holderOf(holder: SlugHolder, slug: string): Promise<string | undefined> {
  return (await changeSlug(holder, slug, { type: 'ReserveSlug', by: holder.metadata.id })).heldBy
}

/** Releases the slug if the template has it and does not use it. */
export async function releaseSlug(holder: SlugHolder, slug: string): Promise<void> {
  const { heldBy } = (await readSlug(holder, slug)).slug
  if (heldBy !== holder.templateId || (await isUsed(holder, slug))) return
  const by = randomUUID()
  await changeSlug(holder, slug, { type: 'ReserveSlug', by })
  if (await isUsed(holder, slug)) return
  await changeSlug(holder, slug, { type: 'ReleaseSlug', by })
}

/**
 * Whether a slug is free. A slug that is reserved and not used by its template is free, too: a process has stopped. If
 * it stopped after the template was deleted, or while it released the slug, nobody else will use it. Otherwise its
 * command may still be executed for some time.
 */
async function isFree(holder: SlugHolder, slug: string, nowMs: number): Promise<boolean> {
  const { slug: stored, recordedAt, isTakenOver } = await readSlug(holder, slug)
  if (stored.heldBy === undefined || stored.heldBy === holder.templateId || !recordedAt) return true
  const last = await lastEventOf({ ...holder, templateId: stored.heldBy })
  const isAbandoned = nowMs - recordedAt.getTime() > abandonedAfterMs
  const isDeletedSince = last?.type === 'TemplateDeleted' && last.recordedAt.getTime() > recordedAt.getTime()
  return (isAbandoned || isDeletedSince || isTakenOver) && !uses(last, slug)
}

async function isUsed(holder: SlugHolder, slug: string): Promise<boolean> {
  return uses(await lastEventOf(holder), slug)
}

async function lastEventOf({ store, templateId }: SlugHolder): Promise<StoredEvent | undefined> {
  for await (const stored of store.readStream(templateStream(templateId), { backwards: true, limit: 1 })) return stored
  return undefined
}

function uses(last: StoredEvent | undefined, slug: string): boolean {
  if (!last) return false
  const { type, data } = domainEvent<TemplateEvent>(last)
  switch (type) {
    case 'TemplateCreated':
    case 'TemplateUpdated':
    case 'TemplateRestored':
      return data.slug === slug
    case 'TemplateDeleted':
      return false
    case '$unreadable':
      // It may be one of an active template.
      return true
  }
}
