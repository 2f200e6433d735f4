import type { EgressProxy } from '../egress/egress-proxy.ts'
import { shortened } from './warnings.ts'

const maxUrlChars = 200
const maxDataUriChars = 48

/** A URL for a warning: without credentials, and shortened. */
export function shownUrl(url: string): string {
  if (/^data:/i.test(url)) return shortened(url, maxDataUriChars)
  return shortened(url.slice(0, maxUrlChars * 2).replace(/^(\w+:\/\/)[^/?#]*@/, '$1'), maxUrlChars)
}

/** Why a resource did not load: the reason of the egress proxy, or else the browser's error in plain words. */
export function whyFailed(
  url: string,
  { text, category }: { text: string; category?: string | undefined },
  proxy: Pick<EgressProxy, 'refusalReason'>,
): string {
  const refusal = proxy.refusalReason(url)
  if (refusal !== undefined) return refusal
  if (isAssetUrl(url)) return unresolvedAsset
  if (category === 'cors') return 'its server does not let documents use it (CORS)'
  const status = /status of (\d{3})/.exec(text)?.[1]
  if (status !== undefined) return status === '404' ? 'not found (404)' : `its server answered with ${status}`
  const download = /^download of (\S+)$/.exec(text)?.[1]
  if (download !== undefined) return `a file to be saved (${download}), which a frame does not show`
  const error = /net::(ERR_\w+)/.exec(text)?.[1] ?? ''
  if (/^ERR_(FILE_NOT_FOUND|ACCESS_DENIED)$/.test(error) && !/^https?:/i.test(url)) return whyLocal(url)
  return errors.find(([pattern]) => pattern.test(error))?.[1] ?? 'cannot be loaded'
}

/** Why an image is not shown if the browser reported no error for it. */
export function whyBroken(url: string, proxy: Pick<EgressProxy, 'refusalReason'>): string {
  const parsed = URL.parse(url)
  if (!parsed) return invalidUrl
  if (isAssetUrl(url)) return unresolvedAsset
  if (parsed.username || parsed.password) return 'refused by the egress policy: credentials in an address'
  return proxy.refusalReason(url) ?? 'not an image that can be read'
}

/** Why the browser does not show what it calls a local resource. */
export function whyLocal(url: string): string {
  const scheme = /^[\w.+-]+/.exec(url)?.[0].toLowerCase() ?? ''
  if (scheme === 'file') return 'refused: documents cannot read local files'
  if (scheme === 'blob') return 'refused: a blob: URL that the document did not make, or has revoked'
  return `refused: documents cannot load ${scheme}: URLs`
}

const isAssetUrl = (url: string) => /^asset:/i.test(url)
const unresolvedAsset = 'not the name of an asset, or a URL made by a script'

const invalidUrl = 'not a URL that can be loaded'

const errors: [error: RegExp, reason: string][] = [
  [/^ERR_(INVALID_URL|UNKNOWN_URL_SCHEME|DISALLOWED_URL_SCHEME)$/, invalidUrl],
  [/^ERR_UNSAFE_PORT$/, 'refused: browsers do not connect to its port'],
  [/TIMED_OUT$/, 'timed out'],
  [/^ERR_(CONNECTION_CLOSED|CONNECTION_RESET|EMPTY_RESPONSE)$/, 'the connection was closed or timed out'],
  [/^ERR_(CONTENT_LENGTH_MISMATCH|INCOMPLETE_CHUNKED_ENCODING)$/, 'its response is incomplete'],
  [/^ERR_(CERT|SSL|BAD_SSL)/, 'its server has no valid certificate'],
  [/^ERR_TOO_MANY_REDIRECTS$/, 'too many redirects'],
  [/^ERR_BLOCKED_BY_RESPONSE/, 'its server does not let other pages show it'],
  [/^ERR_BLOCKED_BY/, 'blocked by its server or by the document'],
  [/^ERR_(TUNNEL|PROXY|CONNECTION|NAME|ADDRESS|HTTP2|QUIC)/, 'cannot be reached'],
]
