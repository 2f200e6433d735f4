const prefix = '/v1/assets/'
const parts = new Set(['content', 'versions', 'usage'])

/**
 * The URL that the routes know: the slashes in the name of an asset are written as `%2F`, as generated clients write them.
 * `/v1/assets/fonts/a.woff2/content` becomes `/v1/assets/fonts%2Fa.woff2/content`.
 */
export function withEncodedFolders(url: string): string {
  if (!url.startsWith(prefix)) return url
  const end = url.search(/[?#]/)
  const path = end === -1 ? url : url.slice(0, end)
  const segments = path.slice(prefix.length).replace(/\/$/, '').split('/')
  const part = segments.length > 1 && parts.has(segments.at(-1) ?? '') ? `/${segments.pop()}` : ''
  if (segments.length === 1) return url
  return prefix + segments.join('%2F') + part + url.slice(path.length)
}
