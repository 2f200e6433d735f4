import type { FastifyReply } from 'fastify'

/** Headers of every response: browsers must not guess its type. */
export const securityHeaders = { 'x-content-type-options': 'nosniff' }

/**
 * The Content-Security-Policy of a documentation page: the named scripts and styles, pictures of this server, and no
 * frames.
 */
export function pagePolicy({ scripts, styles }: { scripts: string; styles: string }): string {
  return [
    "default-src 'none'",
    `script-src ${scripts}`,
    `style-src ${styles}`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** The policy of the API reference. */
export const docsPolicy = pagePolicy({
  scripts: "'self'",
  // The hash is that of the only style that Swagger UI sets inline.
  styles: "'self' 'sha256-RL3ie0nH+Lzz2YNqQN83mnU0J1ot4QL7b99vMdIX99w='",
})

/** Adds the names of request headers that the response depends on. */
export function addVary(reply: FastifyReply, ...names: string[]): void {
  const before = reply.getHeader('vary')
  reply.header('vary', [...(typeof before === 'string' ? [before] : []), ...names].join(', '))
}
