import { Type } from 'typebox'
import { OwnerId, Sha256 } from '../events/fields.ts'
import { publishedEvent } from '../events/published-event.ts'
import type { AssetDeleted, AssetStored } from './asset.ts'

// All assets of an owner are one aggregate, so the subject of these events is the owner's id.

const Name = Type.String({ description: 'the name that documents use: `asset:<name>`' })

export const assetEvents = {
  AssetStored: publishedEvent({
    version: 1,
    summary: 'An asset was uploaded, or has got another content.',
    data: Type.Object({
      owner_id: OwnerId,
      name: Name,
      sha256: Type.String({ ...Sha256, description: 'SHA-256 of its bytes, in hex' }),
      type: Type.String({ description: 'media type' }),
      bytes: Type.Integer({ minimum: 0 }),
    }),
    example: {
      owner_id: 'own_default',
      name: 'logo.svg',
      sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      type: 'image/svg+xml',
      bytes: 1_204,
    },
    toPublic: ({ name, sha256, type, bytes }: AssetStored['data'], { id }) => ({
      owner_id: id,
      name,
      sha256,
      type,
      bytes,
    }),
  }),
  AssetDeleted: publishedEvent({
    version: 1,
    summary: 'An asset was deleted. Template versions that use it still print it.',
    data: Type.Object({ owner_id: OwnerId, name: Name }),
    example: { owner_id: 'own_default', name: 'logo.svg' },
    toPublic: ({ name }: AssetDeleted['data'], { id }) => ({ owner_id: id, name }),
  }),
}
