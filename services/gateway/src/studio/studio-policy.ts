/**
 * The Content-Security-Policy of the studio: everything is a file of this server, and nothing is inline. Pictures of pages are
 * `blob:`. A text cannot become markup (`require-trusted-types-for`); `platen` is the policy by which the studio starts its workers.
 */
export const studioPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self' data:",
  "img-src 'self' blob: data:",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types platen',
].join('; ')
