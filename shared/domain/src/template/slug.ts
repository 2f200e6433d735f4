import type { Decider } from '@platen/event-store/decider.ts'
import type { SlugEvent } from './slug-events.ts'

/** `by`: see SlugReserved. */
export type Slug = { heldBy: string; by: string } | { heldBy: undefined }

export type SlugCommand =
  | { type: 'ReserveSlug'; data: { template_id: string; by: string } }
  | { type: 'ReleaseSlug'; data: { template_id: string; by: string } }

/**
 * The stream of `slugStream`. Optimistic concurrency ensures that at most one template of an owner holds a slug, and that a
 * reservation is released only by who has made the last one. Each event has the whole state.
 */
export const slugDecider: Decider<Slug, SlugCommand, SlugEvent> = {
  initialState: { heldBy: undefined },
  decide({ type, data }, slug) {
    const isHeld = slug.heldBy !== undefined
    const isLast = isHeld && slug.heldBy === data.template_id && slug.by === data.by
    switch (type) {
      case 'ReserveSlug':
        // A taken slug is not an error. The handler sees it in the state and tries another one.
        return isLast || (isHeld && slug.heldBy !== data.template_id) ? [] : [{ type: 'SlugReserved', data }]
      case 'ReleaseSlug':
        return isLast ? [{ type: 'SlugReleased', data }] : []
    }
  },
  evolve(slug, event) {
    switch (event.type) {
      case 'SlugReserved':
        return { heldBy: event.data.template_id, by: event.data.by }
      case 'SlugReleased':
        return { heldBy: undefined }
      default:
        return slug
    }
  },
}

const maxLength = 64

/** `Crème brûlée №5` → `creme-brulee-no5`. A name without Latin letters and digits gives `template`. */
export function slugify(name: string): string {
  const words = name
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
  return truncate(words.join('-'), maxLength) || 'template'
}

/** The slug for the nth attempt, from 1: `invoice`, `invoice-2`, `invoice-3`. */
export function slugCandidate(base: string, attempt: number): string {
  if (attempt === 1) return base
  const suffix = `-${attempt}`
  return truncate(base, maxLength - suffix.length) + suffix
}

function truncate(slug: string, length: number): string {
  return slug.slice(0, length).replace(/-+$/, '')
}
