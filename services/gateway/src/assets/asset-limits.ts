import type { SettingsReader } from '@platen/foundation/settings/config.ts'

export interface AssetLimits {
  /** Of one asset. */
  bytes: number
  /** How many assets an owner may have, and how many bytes they may have together. */
  count: number
  totalBytes: number
}

const mib = 2 ** 20

/** A style sheet is read by the services, not only stored. */
export const maxCssBytes = mib / 2

export function readAssetLimits(settings: SettingsReader): AssetLimits {
  const most = { min: 1, max: 1_048_576 }
  // A small total alone is a smaller limit of each asset, too.
  const defaultMb = Math.max(1, Math.min(5, settings.integer('ASSET_TOTAL_MB', { default: 500, ...most })))
  const assetMb = settings.integer('ASSET_MAX_MB', { default: defaultMb, min: 1, max: 100 })
  const totalMb = settings.integer('ASSET_TOTAL_MB', { default: 500, ...most, min: assetMb, minOf: 'ASSET_MAX_MB' })
  return {
    bytes: assetMb * mib,
    count: settings.integer('ASSET_MAX_COUNT', { default: 1_000, min: 1, max: 100_000 }),
    totalBytes: totalMb * mib,
  }
}
