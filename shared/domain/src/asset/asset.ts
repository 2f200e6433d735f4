import { Warning } from '@platen/foundation/errors/warning.ts'
import { OpenEnum, Timestamp } from '@platen/foundation/json/json.ts'
import { type Static, Type } from 'typebox'
import { assetNamePattern, maxNameLength } from './asset-name.ts'

/** The types of assets. Each is recognised by its bytes; style sheets and scripts by the name or the declared type. */
export const assetTypes = [
  ...['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif', 'image/svg+xml'],
  ...['font/woff2', 'font/woff', 'font/ttf', 'font/otf', 'font/collection', 'text/css', 'text/javascript'],
  'application/pdf',
] as const

const AssetName = Type.String({ pattern: assetNamePattern, maxLength: maxNameLength, examples: ['logo.svg'] })
const Content = {
  type: OpenEnum(assetTypes, { title: 'AssetType', description: 'The media type, from its bytes.' }),
  bytes: Type.Integer({ minimum: 0, examples: [1_204] }),
  sha256: Type.String({
    pattern: '^[0-9a-f]{64}$',
    examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
  }),
}
const Version = Type.Integer({ minimum: 1, description: 'Counts the contents that the name has had.' })

/** An asset in HTTP responses. */
export const Asset = Type.Object({
  name: AssetName,
  version: Version,
  ...Content,
  references: Type.Array(AssetName, { description: 'Of a style sheet or script: the assets that it names.' }),
  warnings: Type.Optional(
    Type.Array(Warning, {
      description:
        'In the answer to an upload: what the file refers to and documents will lack. Absent if there is nothing.',
    }),
  ),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type Asset = Static<typeof Asset>

/** One content of an asset in HTTP responses. */
export const AssetVersion = Type.Object({ version: Version, ...Content, created_at: Timestamp })
export type AssetVersion = Static<typeof AssetVersion>
