import type { Asset } from '@platen/domain/asset/asset.ts'
import { type AssetLibraries, changeAssets } from '@platen/domain/asset/asset-libraries.ts'
import { type AssetContent, type AssetLibrary, contentOf } from '@platen/domain/asset/asset-library.ts'
import { nameFrom } from '@platen/domain/asset/asset-name.ts'
import { fail } from '@platen/domain/http/errors.ts'
import type { EventStore } from '@platen/event-store/event-store.ts'
import type { CommandMetadata } from '@platen/foundation/command.ts'
import type { Warning } from '@platen/foundation/errors/warning.ts'
import type { ObjectStore } from '@platen/object-store/object-store.ts'
import { assetBody } from './asset-body.ts'
import { type AssetLimits, maxCssBytes } from './asset-limits.ts'
import { assetTypeOf } from './asset-type.ts'
import type { ContentReader } from './content-reader.ts'
import { type AssetConditions, storeAsset } from './decide-asset.ts'
import type { Upload } from './read-upload.ts'
import { type ContentDescription, storeContent } from './store-content.ts'

export interface AssetStore {
  store: EventStore
  objects: ObjectStore
  libraries: AssetLibraries
  limits: AssetLimits
  reader: Pick<ContentReader, 'references'>
}

export interface PutAsset {
  ownerId: string
  apiKeyId: string
  name: string
  upload: Upload
  contentType: string | undefined
  conditions: AssetConditions
  metadata: CommandMetadata
}

/**
 * Stores the bytes, records which object has them, and then records that the name has this content. A crash in between
 * leaves bytes without a name, which are swept later. Throws UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE,
 * PRECONDITION_FAILED, ASSET_LIMIT_EXCEEDED.
 */
export async function putAsset(
  { store, objects, libraries, limits, reader }: AssetStore,
  { ownerId, apiKeyId, name, upload, contentType, conditions, metadata }: PutAsset,
): Promise<{ asset: Asset; created: boolean }> {
  const { sha256 } = upload
  const type = await typeOf(upload, name, contentType)
  const { assets, outside } = await reader.references({ owner: ownerId, key: apiKeyId }, { type, bytes: upload.bytes })
  const { time } = metadata
  const rules = { conditions, limits, time }
  const content = { type, bytes: upload.bytes.length }
  const described: ContentDescription = { ...content, ...(assets.length > 0 && { references: assets }) }
  const named = assets.map((reference) => nameFrom(name, reference)).filter((one) => one !== undefined)
  const own = [...new Set(named)].filter((one) => one !== name).sort()
  const data = { name, sha256, ...content, object: '', ...(own.length > 0 && { references: own }) }
  // Refused before anything is stored.
  storeAsset(await libraries.of(ownerId), data, rules)
  const object = await storeContent({ store, objects }, { ownerId, upload, content: described, metadata })
  let current: AssetContent | undefined
  const decide = (library: AssetLibrary) => {
    current = library.find(name)
    return storeAsset(library, { ...data, object }, rules)
  }
  const event = await changeAssets({ store, libraries, ownerId, metadata, decide })
  // Another upload may have replaced the content by now.
  const stored = event?.type === 'AssetStored' ? contentOf(event.data, time) : current
  const warnings = await uploadWarnings(libraries, { ownerId, name, outside, references: own })
  const asset = { ...assetBody(name, stored), ...(warnings.length > 0 && { warnings }) }
  return { asset, created: current === undefined }
}

interface Uploaded {
  ownerId: string
  name: string
  outside: readonly string[]
  references: readonly string[]
}

/** Warnings about what documents with this file will lack, as far as its bytes tell. */
async function uploadWarnings(
  libraries: AssetLibraries,
  { ownerId, name, outside, references }: Uploaded,
): Promise<Warning[]> {
  if (outside.length > 0) {
    const message = `${name} refers to ${outside.join(', ')}, and a picture in a document loads nothing; put it into the SVG as a data: URL`
    return [{ code: 'RESOURCE_FAILED', message: message.slice(0, maxMessageChars) }]
  }
  const library = references.length === 0 ? undefined : await libraries.of(ownerId)
  const missing = references.filter((reference) => library?.find(reference) === undefined)
  if (missing.length === 0) return []
  const message = `${name} names ${missing.join(', ')}, and there ${missing.length === 1 ? 'is no asset of this name' : 'are no assets of these names'}`
  return [{ code: 'RESOURCE_FAILED', message: message.slice(0, maxMessageChars) }]
}

const maxMessageChars = 500

/** Throws UNSUPPORTED_MEDIA_TYPE, and PAYLOAD_TOO_LARGE for a style sheet. */
async function typeOf({ bytes }: Upload, name: string, contentType: string | undefined): Promise<string> {
  const type = await assetTypeOf(bytes, name, contentType)
  if (type === 'text/css' && bytes.length > maxCssBytes)
    fail('PAYLOAD_TOO_LARGE', `A style sheet may have at most ${maxCssBytes / 2 ** 20} MiB`)
  return type
}
