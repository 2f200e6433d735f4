import type { Asset, AssetVersion } from '@platen/domain/asset/asset.ts'
import type { AssetHistory } from '@platen/domain/asset/asset-library.ts'
import { assetNotFound } from './decide-asset.ts'

/** The asset as the API returns it, with its current content. Throws ASSET_NOT_FOUND for an unknown or deleted name. */
export function assetBody(name: string, history: AssetHistory | undefined, content = history?.current): Asset {
  const { version, type, bytes, sha256, references, at } = content ?? assetNotFound(name)
  return {
    ...{ name, version, type: type as Asset['type'], bytes, sha256 },
    references: [...references],
    created_at: history?.versions[0]?.at ?? at,
    updated_at: at,
  }
}

export function versionBodies({ versions }: AssetHistory): AssetVersion[] {
  return versions.map(({ version, type, bytes, sha256, at }) => ({
    ...{ version, type: type as AssetVersion['type'], bytes, sha256 },
    created_at: at,
  }))
}
