// Names have folders, as the files of a package have: a style sheet or a script finds by a relative URL what lies beside it.

export const maxNameLength = 200

const segment = '[A-Za-z0-9_@][A-Za-z0-9._@+-]*'
/** No segment is `.` or `..`, or a hidden file. */
export const assetNamePattern = `^${segment}(/${segment})*$`
const namePattern = new RegExp(assetNamePattern)

/** The parts of an asset in URLs, such as `/v1/assets/logo.svg/content`. No name ends in one after a slash. */
const parts = /\/(?:content|versions|usage)$/

export const isAssetName = (name: string): boolean =>
  name.length <= maxNameLength && namePattern.test(name) && !parts.test(name)

/**
 * What a style sheet or a script writes of another asset, without query and fragment: relative to itself (`fonts/a.woff2`,
 * `../logo.svg`), or from the root (`/brand/logo.svg`), as `asset:brand/logo.svg` is recorded. Undefined for other URLs.
 */
export function referenceOf(url: string): string | undefined {
  const [path = ''] = url.trim().split(/[?#]/, 1)
  // A path from the root is one of the server, not of the assets.
  if (path.startsWith('/')) return undefined
  const reference = path.startsWith('asset:') ? `/${path.slice('asset:'.length)}` : path.replace(/^(?:\.\/)+/, '')
  return nameFrom('', reference.replace(/^(?:\.\.\/)+/, '')) === undefined ? undefined : reference
}

/**
 * Resolves a reference within an asset to a name, like a URL (RFC 3986, section 5.2). Undefined if it leads above the
 * root.
 */
export function nameFrom(from: string, reference: string): string | undefined {
  const path = reference.startsWith('/') ? [] : from.split('/').slice(0, -1)
  for (const part of reference.replace(/^\//, '').split('/')) {
    if (part === '.') continue
    if (part !== '..') path.push(part)
    else if (path.pop() === undefined) return undefined
  }
  const name = path.join('/')
  return isAssetName(name) ? name : undefined
}

/** Whether a URL is that of an asset, which may have a query or a fragment: `asset:icons.svg#star`. */
export function isAssetUrl(url: string): boolean {
  const [path = ''] = url.trim().split(/[?#]/, 1)
  return path.startsWith('asset:') && isAssetName(path.slice('asset:'.length))
}
