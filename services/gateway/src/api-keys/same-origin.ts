import type { FastifyRequest } from 'fastify'

/**
 * Whether a page of this server sent the request. Browsers say so by `Sec-Fetch-Site`, and where the page has no TLS by `Origin`
 * or, for a GET, by `Referer`.
 */
export function isSameOrigin({ headers, host }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin'
  const from = headers.origin ?? headers.referer
  return from !== undefined && URL.canParse(from) && new URL(from).host === host
}
