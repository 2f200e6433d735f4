import { Type } from 'typebox'
import { HtmlSha256, sha256 } from '../events/content-hash.ts'
import { defineEvent, type Recorded } from '../events/define-event.ts'
import { Anything, None, OwnerId, Text } from '../events/fields.ts'

// Version N is the state at revision N - 1, also after a deletion and a new creation. Each event except the deletion
// has the whole partial.

const partial = { category: 'partial', relay: 'template' } as const

export const partialStream = (partialId: string) => `partial-${partialId}`

const id = 'prt_01k9x2v7w3d5e8f0g2h4j6k8m0'

export const PartialCreated = defineEvent({
  type: 'PartialCreated',
  aggregate: partial,
  summary: 'A partial was created, or created again after its deletion. Its version is `revision` + 1.',
  data: Type.Object({ owner_id: Text, name: Text, html: Text }),
  describe: ({ name }) => ['created', `"${name}"`],
  published: {
    subject: 'partial.created',
    data: Type.Object({
      owner_id: OwnerId,
      name: Type.String({ description: 'the name that templates call it by' }),
      html_sha256: HtmlSha256,
    }),
    toPublic: ({ owner_id, name, html }) => ({ owner_id, name, html_sha256: sha256(html) }),
  },
  example: { id, data: { owner_id: 'own_default', name: 'letterhead', html: '<header>{{department}}</header>' } },
})
export type PartialCreated = Recorded<typeof PartialCreated>

/** `created_at`: when the partial was created, or created again (RFC 3339). */
export const PartialUpdated = defineEvent({
  type: 'PartialUpdated',
  aggregate: partial,
  summary: 'A partial was changed. Its version is `revision` + 1.',
  data: Type.Object({ owner_id: Text, name: Text, html: Text, created_at: Text }),
  describe: () => ['updated'],
  published: {
    subject: 'partial.updated',
    data: Type.Object({ html_sha256: HtmlSha256 }),
    toPublic: ({ html }) => ({ html_sha256: sha256(html) }),
  },
  example: {
    id,
    data: {
      owner_id: 'own_default',
      name: 'letterhead',
      html: '<header><b>{{department}}</b></header>',
      created_at: '2026-01-31T12:00:00.000Z',
    },
  },
})
export type PartialUpdated = Recorded<typeof PartialUpdated>

export const PartialDeleted = defineEvent({
  type: 'PartialDeleted',
  aggregate: partial,
  summary: 'A partial was deleted. Templates that were saved with a version of it print as before.',
  data: Anything,
  describe: () => ['deleted'],
  published: { subject: 'partial.deleted', data: None, toPublic: () => ({}) },
  example: { id, data: {} },
})
export type PartialDeleted = Recorded<typeof PartialDeleted>

export const partialEvents = { PartialCreated, PartialUpdated, PartialDeleted }
export type PartialEvent = Recorded<(typeof partialEvents)[keyof typeof partialEvents]>
