/** Names have no folders, so that a URL in a style sheet resolves to another asset of the same owner. */
export const assetNamePattern = '^[a-z0-9][a-z0-9._-]{0,99}$'
const namePattern = new RegExp(assetNamePattern)
export const isAssetName = (name: string) => namePattern.test(name)
