import type { SettingsReader } from '@platen/shared/runtime/config.ts'

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
  return {
    bytes: settings.integer('ASSET_MAX_MB', { default: 5, min: 1, max: 100 }) * mib,
    count: settings.integer('ASSET_MAX_COUNT', { default: 1_000, min: 1, max: 100_000 }),
    totalBytes: settings.integer('ASSET_TOTAL_MB', { default: 500, min: 1, max: 1_048_576 }) * mib,
  }
}
