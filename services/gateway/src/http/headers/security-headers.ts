/** Headers of every response: browsers must not guess its type. */
export const securityHeaders = { 'x-content-type-options': 'nosniff' }

/** For the API reference: its own scripts and styles only, and no frame around it. */
export const docsPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  // Swagger UI sets styles inline.
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')
