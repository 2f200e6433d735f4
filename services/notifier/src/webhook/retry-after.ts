const maxMs = 24 * 3_600_000

/** The wait in a Retry-After header, as seconds or a date (RFC 9110, section 10.2.3). At most 24 hours. */
export function retryAfterMs(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined
  const text = header.trim()
  // Accepts only dates that begin with the name of a day, because Date.parse accepts more formats than RFC 9110.
  const ms = /^\d+$/.test(text) ? Number(text) * 1_000 : /^[A-Z][a-z]{2}/.test(text) ? Date.parse(text) - nowMs : NaN
  return Number.isNaN(ms) ? undefined : Math.min(maxMs, Math.max(0, ms))
}
