import type { SettingsReader } from '@platen/foundation/settings/config.ts'
import { integer } from '@platen/foundation/settings/setting.ts'

export interface AssetLimits {
  /** The size of one asset. */
  bytes: number
  /** How many assets an owner may have, and how many bytes they may have together. */
  count: number
  totalBytes: number
  /** How many assets all style sheets of an owner may name. */
  references: number
}

const mib = 2 ** 20

/** A style sheet is read by the services, not only stored. */
export const maxCssBytes = 2 * mib

/** A listing of all names must fit into an event. */
export const maxNameChars = 280_000

/** Every process that uses an asset holds the list of its owner's assets in memory. */
const maxCount = 1_000

/** Each takes as much memory as an asset. */
const maxReferences = 3_000

const defaultMb = 5

export const assetSettings = {
  assetMb: integer('ASSET_MAX_MB', {
    default: undefined,
    min: 1,
    max: 100,
    shownDefault: `\`${defaultMb}\``,
    meaning: 'the size of an asset, at most that of all',
  }),
  totalMb: integer('ASSET_TOTAL_MB', {
    default: 500,
    min: 1,
    max: 1_048_576,
    meaning: 'the size of all assets of an owner',
  }),
}

export function readAssetLimits(settings: SettingsReader): AssetLimits {
  const { assetMb, totalMb } = settings.read(assetSettings)
  if (assetMb !== undefined && totalMb < assetMb) {
    settings.refuse(assetSettings.totalMb, `must be an integer from ${assetMb} (ASSET_MAX_MB), not "${totalMb}"`)
  }
  // A small total alone is a smaller limit of each asset, too.
  return {
    bytes: (assetMb ?? Math.min(defaultMb, totalMb)) * mib,
    count: maxCount,
    totalBytes: totalMb * mib,
    references: maxReferences,
  }
}
