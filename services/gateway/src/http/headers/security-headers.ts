/** Headers of every response: browsers must not guess its type. */
export const securityHeaders = { 'x-content-type-options': 'nosniff' }

/** For the API reference: its own scripts and styles only, and no frame around it. */
export const docsPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  // The hash is that of the only style that Swagger UI sets inline.
  "style-src 'self' 'sha256-RL3ie0nH+Lzz2YNqQN83mnU0J1ot4QL7b99vMdIX99w='",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')
