import { Type } from 'typebox'
import { defineEvent, type Recorded } from '../events/define-event.ts'
import { Count, OwnerId, Sha256, Text } from '../events/fields.ts'

// All assets of an owner are one aggregate, which keeps their names unique and limited. Its id is that of the owner.

const asset = { category: 'asset', relay: 'template' } as const

export const assetStream = (ownerId: string) => `asset-${ownerId}`

const id = 'own_default'
const Name = Type.String({ description: 'the name that documents use: `asset:<name>`' })

const Content = { sha256: Text, object: Text, type: Text, bytes: Count, references: Type.Optional(Type.Array(Text)) }

/**
 * The bytes were stored before. `version` counts the contents of the name. `created_at`: when the name got its first one.
 * `object`: the last part of their key. `references`: of a style sheet or script, the assets that it names.
 */
export const AssetStored = defineEvent({
  type: 'AssetStored',
  aggregate: asset,
  summary: 'An asset was uploaded, or has got another content.',
  data: Type.Object({ name: Text, version: Count, created_at: Text, ...Content }),
  describe: ({ name, type, bytes }) => ['asset stored', name, type, `${bytes} bytes`],
  published: {
    subject: 'asset.stored',
    data: Type.Object({
      owner_id: OwnerId,
      name: Name,
      sha256: Type.String({ ...Sha256, description: 'SHA-256 of its bytes, in hex' }),
      type: Type.String({ description: 'media type' }),
      bytes: Type.Integer({ minimum: 0 }),
    }),
    toPublic: ({ name, sha256, type, bytes }, { id }) => ({ owner_id: id, name, sha256, type, bytes }),
  },
  example: {
    id,
    data: {
      name: 'logo.svg',
      version: 1,
      created_at: '2026-01-31T12:00:00.000Z',
      object: '0123456789abcdef',
      sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      type: 'image/svg+xml',
      bytes: 1_204,
    },
  },
})
export type AssetStored = Recorded<typeof AssetStored>

/** The name has no content any more. Documents that are pinned to one still have it. */
export const AssetDeleted = defineEvent({
  type: 'AssetDeleted',
  aggregate: asset,
  summary: 'An asset was deleted. Template versions that use it still print it.',
  data: Type.Object({ name: Text }),
  describe: ({ name }) => ['asset deleted', name],
  published: {
    subject: 'asset.deleted',
    data: Type.Object({ owner_id: OwnerId, name: Name }),
    toPublic: ({ name }, { id }) => ({ owner_id: id, name }),
  },
  example: { id, data: { name: 'logo.svg' } },
})
export type AssetDeleted = Recorded<typeof AssetDeleted>

/**
 * The state of the library, recorded from time to time, so that the time to read it does not depend on the number of
 * uploads. `deleted`: the last versions of names without content. `forgotten`: the highest version among names that are
 * not listed.
 */
export const AssetsListed = defineEvent({
  type: 'AssetsListed',
  aggregate: asset,
  summary: 'The assets of an owner at this moment, as the events before have left them.',
  data: Type.Object({
    assets: Type.Array(Type.Object({ name: Text, version: Count, created_at: Text, updated_at: Text, ...Content })),
    deleted: Type.Array(Type.Object({ name: Text, version: Count })),
    forgotten: Count,
  }),
  describe: ({ assets }) => ['assets listed', `${assets.length}`],
  example: {
    id,
    data: {
      assets: [
        {
          name: 'logo.svg',
          version: 1,
          type: 'image/svg+xml',
          bytes: 1_204,
          object: '0123456789abcdef',
          sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
          created_at: '2026-01-31T12:00:00.000Z',
          updated_at: '2026-01-31T12:00:00.000Z',
        },
      ],
      deleted: [{ name: 'old.svg', version: 3 }],
      forgotten: 0,
    },
  },
})
export type AssetsListed = Recorded<typeof AssetsListed>

export const assetEvents = { AssetStored, AssetDeleted, AssetsListed }
export type AssetEvent = Recorded<(typeof assetEvents)[keyof typeof assetEvents]>
