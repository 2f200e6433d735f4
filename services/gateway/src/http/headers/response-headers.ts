import { create } from 'content-disposition'
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

/** The header that names the file (RFC 6266). A name outside of ASCII is given as UTF-8, too (RFC 8187). */
export function contentDisposition(fileName: string, type: 'inline' | 'attachment'): string {
  const header = create(fileName, { type, fallback: inAscii(fileName) })
  // Always in quotes, which some clients expect. A name in quotes may contain what looks like another parameter.
  return header.replace(/^(\w+); filename=([^"; ]+)/, '$1; filename="$2"')
}

/** `März` becomes `Marz`. */
function inAscii(text: string): string {
  const withoutAccents = text.normalize('NFD').replace(/\p{M}/gu, '')
  return withoutAccents.replace(/[^\x20-\x7e]/gu, '_')
}

/** Adds the names of request headers that the response depends on. */
export function addVary(reply: FastifyReply, ...names: string[]): void {
  const before = reply.getHeader('vary')
  reply.header('vary', [...(typeof before === 'string' ? [before] : []), ...names].join(', '))
}
