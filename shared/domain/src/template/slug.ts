import type { Decider } from '@platen/event-store/decider.ts'
import { Type } from 'typebox'
import type { SlugEvent } from './slug-events.ts'

/** The holder of a slug. `by`: see SlugReserved. */
export type SlugState = { heldBy: string; by: string } | { heldBy: undefined }

export type SlugCommand =
  | { type: 'ReserveSlug'; data: { template_id: string; by: string } }
  | { type: 'ReleaseSlug'; data: { template_id: string; by: string } }

/**
 * The decider of the stream `slugStream`. The expected revision ensures that at most one template of an owner holds a
 * slug, and that only the last reservation can be released by its holder. Each event has the whole state.
 */
export const slugDecider: Decider<SlugState, SlugCommand, SlugEvent> = {
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
      case '$unreadable':
        return slug
    }
  },
}

export const maxSlugLength = 64

/** A slug that an author chooses. Those that are derived from names have the same form. */
export const Slug = Type.String({
  pattern: '^[a-z0-9]+(-[a-z0-9]+)*$',
  maxLength: maxSlugLength,
  description: 'lower-case letters and digits, in words that are joined by hyphens, at most 64',
  examples: ['monthly-invoice'],
})
