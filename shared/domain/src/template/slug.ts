import type { Decider } from '@platen/event-store/decider.ts'
import type { SlugEvent } from './slug-events.ts'

export type Slug = { heldBy: string | undefined }

export type SlugCommand =
  | { type: 'ReserveSlug'; data: { template_id: string } }
  | { type: 'ReleaseSlug'; data: { template_id: string } }

/** The stream of `slugStream`. Optimistic concurrency ensures that at most one template of an owner holds a slug. */
export const slugDecider: Decider<Slug, SlugCommand, SlugEvent> = {
  initialState: { heldBy: undefined },
  decide({ type, data: { template_id } }, { heldBy }) {
    switch (type) {
      case 'ReserveSlug':
        // A taken slug is not an error. The handler sees it in the state and tries the next slug.
        return heldBy === undefined ? [{ type: 'SlugReserved', data: { template_id } }] : []
      case 'ReleaseSlug':
        return heldBy === template_id ? [{ type: 'SlugReleased', data: { template_id } }] : []
    }
  },
  evolve(slug, event) {
    switch (event.type) {
      case 'SlugReserved':
        return { heldBy: event.data.template_id }
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
