import { isAssetName } from '@platen/domain/asset/asset-name.ts'
import { cssUrls } from '@platen/templating/css/css-urls.ts'

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
