import type { Concern } from './concern.ts'
import { consoleErrors } from './console-errors.ts'
import { marginOverflow } from './margin-overflow.ts'
import { missingGlyphs } from './missing-glyphs.ts'
import { pageNumbers } from './page-numbers.ts'
import { unusableAssets } from './unusable-assets.ts'
import { failedResources } from './watch-resources.ts'

/** What every document is checked for, in the order of the warnings. */
export const concerns: readonly Concern[] = [
  failedResources,
  pageNumbers,
  unusableAssets,
  consoleErrors,
  missingGlyphs,
  marginOverflow,
]
