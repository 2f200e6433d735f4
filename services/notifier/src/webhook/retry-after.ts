const longestMs = 24 * 3_600_000

/** How long a Retry-After header asks to wait (RFC 9110, 10.2.3: seconds or an HTTP date), at most 24 hours. */
export function retryAfterMs(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined
  const text = header.trim()
  // Dates count only with their day's name, so that Date.parse cannot read more into a text than RFC 9110 allows.
  const ms = /^\d+$/.test(text) ? Number(text) * 1_000 : /^[A-Z][a-z]{2}/.test(text) ? Date.parse(text) - nowMs : NaN
  return Number.isNaN(ms) ? undefined : Math.min(longestMs, Math.max(0, ms))
}
