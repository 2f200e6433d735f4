/** Names have no folders, so that a URL in a style sheet resolves to another asset of the same owner. */
export const assetNamePattern = '^[a-z0-9][a-z0-9._-]{0,99}$'
const namePattern = new RegExp(assetNamePattern)
export const isAssetName = (name: string) => namePattern.test(name)

/** Whether a URL is that of an asset, which may have a query or a fragment: `asset:icons.svg#star`. */
export function isAssetUrl(url: string): boolean {
  const [path = ''] = url.trim().split(/[?#]/, 1)
  return path.startsWith('asset:') && isAssetName(path.slice('asset:'.length))
}
