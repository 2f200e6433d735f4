import compress from '@fastify/compress'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { encodedTag } from '../headers/entity-tags.ts'

/** Smaller bodies are sent in one packet anyway. */
const minBytes = 1_024

const json = /^application\/(?:[\w.-]+\+)?json\b/
/**
 * Content types that are compressed under `/docs/`. Elsewhere such bodies are files of users, which are served in
 * ranges.
 */
const pages = /^(?:application\/(?:[\w.-]+\+)?(?:json|yaml)|text\/(?:css|html|javascript)|image\/svg\+xml)\b/

/** Compresses JSON bodies of the routes after it, and pages, for clients that accept it. Files are compressed by their format. */
export const compression = fp(
  async (app) => {
    app.addHook('onRoute', (route) => {
      if (route.url.startsWith('/docs/')) route.compress ??= { customTypes: pages }
    })
    await app.register(compress, {
      threshold: minBytes,
      customTypes: json,
      encodings: ['br', 'gzip'],
      // A compressed request body is refused.
      globalDecompression: false,
    })
    // The plugin adds its hook to each route, so this hook must be added to each route to run after it.
    app.addHook('onRoute', (route) => {
      route.onSend = [route.onSend ?? []].flat().concat(tagEncoding)
    })
  },
  { name: 'compression' },
)

/** A strong entity tag identifies the bytes (RFC 9110, section 8.8.3.3). */
async function tagEncoding(_request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
  const encoding = reply.getHeader('content-encoding')
  const tag = reply.getHeader('etag')
  if (typeof encoding === 'string' && typeof tag === 'string') reply.header('etag', encodedTag(tag, encoding))
  return payload
}
