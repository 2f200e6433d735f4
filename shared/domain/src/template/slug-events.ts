import { Type } from 'typebox'
import { defineEvent, type Recorded } from '../events/define-event.ts'
import { known, Text } from '../events/fields.ts'

// The expected revision of an append makes a slug unique for its owner.

const slug = { category: 'slug' } as const

export const slugStream = (ownerId: string, slug: string) => `slug-${ownerId}.${slug}`

const id = 'own_default.monthly-invoice'
const data = { template_id: 'tpl_01k9x2v7w3d5e8f0g2h4j6k8m0', by: '0b6d1f0e-6d53-4f0a-9a3e-5b1c7d2e8f90' }

/**
 * `by` is the only one that may release the slug: the command that creates or restores the template, or a process that
 * is about to release it.
 */
export const SlugReserved = defineEvent({
  type: 'SlugReserved',
  aggregate: slug,
  summary: 'A template has a slug.',
  data: Type.Object({ template_id: Text, by: Text }),
  describe: ({ template_id }) => ['slug reserved', `for ${template_id}`],
  example: { id, data },
})
export type SlugReserved = Recorded<typeof SlugReserved>

export const SlugReleased = defineEvent({
  type: 'SlugReleased',
  aggregate: slug,
  summary: 'A slug is free again.',
  data: known<{ template_id: string; by: string }>(Type.Unknown()),
  describe: () => ['slug released'],
  example: { id, data },
})
export type SlugReleased = Recorded<typeof SlugReleased>

export const slugEvents = { SlugReserved, SlugReleased }
export type SlugEvent = Recorded<(typeof slugEvents)[keyof typeof slugEvents]>
