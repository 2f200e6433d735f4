import type { FastifyRequest } from 'fastify'

/** What a server looks at to know who sent a request. */
export type Sender = Pick<FastifyRequest, 'headers' | 'host'>

/**
 * The page that sent a request: one of this server, one of another, or none, as for programs and for addresses that somebody typed.
 * Browsers say so by `Sec-Fetch-Site`, and where the page has no TLS by `Origin` or, for a GET, by `Referer`.
 */
export function sendingPage({ headers, host }: Sender): 'own' | 'foreign' | 'none' {
  const site = headers['sec-fetch-site']
  if (site === 'same-origin') return 'own'
  if (site !== undefined && site !== 'none') return 'foreign'
  const from = headers.origin ?? headers.referer
  if (from === undefined) return 'none'
  return URL.canParse(from) && new URL(from).host === host ? 'own' : 'foreign'
}
