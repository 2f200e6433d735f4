import type { Asset } from '@platen/domain/asset/asset.ts'
import type { AssetStored } from '@platen/domain/asset/asset-events.ts'
import { type AssetLibraries, changeAssets } from '@platen/domain/asset/asset-libraries.ts'
import { isAssetName } from '@platen/domain/asset/asset-name.ts'
import { fail } from '@platen/domain/http/errors.ts'
import { objectKeys } from '@platen/domain/streams/subjects.ts'
import type { EventStore } from '@platen/event-store/event-store.ts'
import type { CommandMetadata } from '@platen/foundation/command.ts'
import type { ObjectStore } from '@platen/object-store/object-store.ts'
import { cssUrls } from '@platen/templating/css/css-urls.ts'
import { assetBody } from './asset-body.ts'
import { type AssetLimits, maxCssBytes } from './asset-limits.ts'
import { assetTypeOf } from './asset-type.ts'
import { type AssetConditions, storeAsset } from './decide-asset.ts'
import type { Upload } from './read-upload.ts'

export interface AssetStore {
  store: EventStore
  objects: ObjectStore
  libraries: AssetLibraries
  limits: AssetLimits
}

export interface PutAsset {
  ownerId: string
  name: string
  upload: Upload
  contentType: string | undefined
  conditions: AssetConditions
  metadata: CommandMetadata
}

/**
 * Stores the bytes and then the event: a crash in between leaves an object that no event names, which a sweep removes.
 * Throws UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE, PRECONDITION_FAILED, ASSET_LIMIT_EXCEEDED.
 */
export async function putAsset(
  { store, objects, libraries, limits }: AssetStore,
  { ownerId, name, upload, contentType, conditions, metadata }: PutAsset,
): Promise<{ asset: Asset; created: boolean }> {
  const { bytes, sha256 } = upload
  const data = await describe(upload, name, contentType)
  const before = await libraries.of(ownerId)
  // Refused before anything is stored.
  storeAsset(before, data, { conditions, limits })
  const key = objectKeys.asset(ownerId, sha256)
  // Written anew unless an event names it: a sweep may be about to remove it. A lost object is restored.
  const isStored = before.content(sha256) !== undefined && (await objects.info(key)) !== undefined
  if (!isStored) await objects.put(key, bytes, data.type)
  let current = before.find(name)
  const decide = (library: typeof before) => {
    current = library.find(name)
    return storeAsset(library, data, { conditions, limits })
  }
  const { library, revision } = await changeAssets({ store, libraries, ownerId, metadata, decide })
  // A sweep may have removed an older object of the same content before the event was there.
  if (!isStored && (await objects.info(key)) === undefined) await objects.put(key, bytes, data.type)
  // Others may have replaced it by now.
  const history = library.history(name)
  const stored = history?.versions.find((version) => version.revision === revision)
  return { asset: assetBody(name, history, stored ?? current), created: current === undefined }
}

async function describe(
  { bytes, sha256 }: Upload,
  name: string,
  contentType: string | undefined,
): Promise<AssetStored['data']> {
  const type = await assetTypeOf(bytes, name, contentType)
  const data = { name, sha256, type, bytes: bytes.length }
  if (type !== 'text/css') return data
  if (bytes.length > maxCssBytes) fail('PAYLOAD_TOO_LARGE', `A style sheet may have at most ${maxCssBytes / 1024} KiB`)
  const references = assetReferences(bytes.toString()).filter((reference) => reference !== name)
  return references.length === 0 ? data : { ...data, references }
}

/** More names than an owner has assets need not be recorded. */
const maxReferences = 1_000

/** The assets that a style sheet names: `asset:brand.woff2`, or relative to itself `brand.woff2`. */
export function assetReferences(css: string): string[] {
  const names = new Set<string>()
  for (const { value } of cssUrls(css)) {
    const [path = ''] = value.replace(/^(?:asset:|\.\/)/, '').split(/[?#]/, 1)
    if (isAssetName(path)) names.add(path)
    if (names.size === maxReferences) break
  }
  return [...names].sort()
}
