import { createHash } from 'node:crypto'
import { Type } from 'typebox'
import { None, OwnerId, Sha256 } from '../events/fields.ts'
import { publishedEvent } from '../events/published-event.ts'
import type { PartialCreated, PartialDeleted, PartialUpdated } from './partial.ts'

// The source of a partial is content of its owner, as that of a template is.

const HtmlSha256 = Type.String({ ...Sha256, description: 'SHA-256 of the source, in hex' })

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

export const partialEvents = {
  PartialCreated: publishedEvent({
    version: 1,
    summary: 'A partial was created, or created again after its deletion. Its version is `revision` + 1.',
    data: Type.Object({
      owner_id: OwnerId,
      name: Type.String({ description: 'the name that templates call it by' }),
      html_sha256: HtmlSha256,
    }),
    example: {
      owner_id: 'own_default',
      name: 'letterhead',
      html_sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    },
    toPublic: ({ owner_id, name, html }: PartialCreated['data']) => ({ owner_id, name, html_sha256: sha256(html) }),
  }),
  PartialUpdated: publishedEvent({
    version: 1,
    summary: 'A partial was changed. Its version is `revision` + 1.',
    data: Type.Object({ html_sha256: HtmlSha256 }),
    example: { html_sha256: '60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752' },
    toPublic: ({ html }: PartialUpdated['data']) => ({ html_sha256: sha256(html) }),
  }),
  PartialDeleted: publishedEvent({
    version: 1,
    summary: 'A partial was deleted. Templates that were saved with a version of it print as before.',
    data: None,
    example: {},
    toPublic: (_: PartialDeleted['data']) => ({}),
  }),
}
