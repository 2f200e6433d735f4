import type { Asset, AssetVersion } from '@platen/domain/asset/asset.ts'
import type { AssetContent } from '@platen/domain/asset/asset-library.ts'
import type { StoredVersion } from '../views/asset-view.ts'
import { assetNotFound } from './decide-asset.ts'

/** The asset as the API returns it. Throws ASSET_NOT_FOUND for an unknown or deleted name. */
export function assetBody(name: string, content: AssetContent | undefined): Asset {
  const { version, type, bytes, sha256, references, createdAt, updatedAt } = content ?? assetNotFound(name)
  return {
    name,
    version,
    type: type as Asset['type'],
    bytes,
    sha256,
    references: [...references],
    created_at: createdAt,
    updated_at: updatedAt,
  }
}

export function versionBody({ version, type, bytes, sha256, updatedAt }: StoredVersion): AssetVersion {
  return { version, type: type as AssetVersion['type'], bytes, sha256, created_at: updatedAt }
}
