import { createHash } from 'node:crypto'
import { Type } from 'typebox'
import { None, OwnerId, Sha256 } from '../events/fields.ts'
import { publishedEvent } from '../events/published-event.ts'
import type { TemplateCreated, TemplateDeleted, TemplateRestored, TemplateUpdated } from './template.ts'
import { contentFields } from './template-content.ts'

// The source and the sample data of a template are content of its owner, and every subscriber reads the events of all
// owners. So events say that they have changed, and `GET /v1/templates/<id>` returns them to who may read them.

const Name = Type.String({ description: 'the name of the template' })
const HtmlSha256 = Type.String({ ...Sha256, description: 'SHA-256 of the source, in hex' })

const RestoredFrom = Type.Integer({ description: 'the version whose content it has again' })

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

export const templateEvents = {
  TemplateCreated: publishedEvent({
    version: 1,
    summary: 'A template was created. Its version is 1.',
    data: Type.Object({
      owner_id: OwnerId,
      name: Name,
      slug: Type.String({ description: 'unique among the active templates of the owner' }),
      html_sha256: HtmlSha256,
    }),
    example: {
      owner_id: 'own_default',
      name: 'Monthly invoice',
      slug: 'monthly-invoice',
      html_sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    },
    toPublic: ({ owner_id, name, slug, html }: TemplateCreated['data']) => ({
      owner_id,
      name,
      slug,
      html_sha256: sha256(html),
    }),
  }),
  TemplateUpdated: publishedEvent({
    version: 1,
    summary: 'A template was changed. Its version is `revision` + 1.',
    data: Type.Object({
      changed: Type.Array(Type.String(), {
        description: `the changed fields: ${contentFields.map((field) => `\`${field}\``).join(', ')}`,
      }),
      name: Type.Optional(Name),
      html_sha256: Type.Optional(HtmlSha256),
      restored_from: Type.Optional(RestoredFrom),
    }),
    example: {
      changed: ['html'],
      html_sha256: '60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752',
    },
    toPublic: (changes: TemplateUpdated['data']) => ({
      changed: contentFields.filter((field) => field in changes),
      ...(changes.name !== undefined && { name: changes.name }),
      ...(changes.html !== undefined && { html_sha256: sha256(changes.html) }),
      ...(changes.restored_from !== undefined && { restored_from: changes.restored_from }),
    }),
  }),
  TemplateDeleted: publishedEvent({
    version: 1,
    summary: 'A template was deleted. Its slug may be used again.',
    data: None,
    example: {},
    toPublic: (_: TemplateDeleted['data']) => ({}),
  }),
  TemplateRestored: publishedEvent({
    version: 1,
    summary: 'A deleted template exists again. Its version is `revision` + 1.',
    data: Type.Object({
      owner_id: OwnerId,
      name: Name,
      slug: Type.String({ description: 'unique among the active templates of the owner' }),
      html_sha256: HtmlSha256,
      restored_from: RestoredFrom,
    }),
    example: {
      owner_id: 'own_default',
      name: 'Monthly invoice',
      slug: 'monthly-invoice',
      html_sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      restored_from: 3,
    },
    toPublic: ({ owner_id, name, slug, html, restored_from }: TemplateRestored['data']) => ({
      owner_id,
      name,
      slug,
      html_sha256: sha256(html),
      restored_from,
    }),
  }),
}
