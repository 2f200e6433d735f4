import type { IncomingHttpHeaders } from 'node:http'
import cors, { type FastifyCorsOptionsDelegateCallback } from '@fastify/cors'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'

const exposedHeaders = [
  'Location',
  'ETag',
  'Retry-After',
  'Preference-Applied',
  'x-request-id',
  'x-generation-id',
  'x-generation-pages',
  'x-generation-warnings',
  'idempotency-replayed',
  'Accept-Ranges',
  'Content-Range',
  'Content-Length',
  'Content-Disposition',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
]
const maxAgeS = 600

/** Resources that need no API key: files by their signed URL, and the description of the API. */
const open = /^\/(v1\/files\/|openapi(-3\.0)?\.json(\?|$))/

const isPreflight = (headers: IncomingHttpHeaders) =>
  headers.origin !== undefined && headers['access-control-request-method'] !== undefined

/**
 * Allows web pages of these origins, or of every origin (`*`), to send requests with an API key. Resources without a
 * key are readable by pages of every origin. Runs before authentication, because a preflight has no key.
 */
export const crossOrigin = fp<{ origins: readonly string[] }>(
  async (app, { origins }) => {
    const common = { exposedHeaders, maxAge: maxAgeS }
    const readOnly = { ...common, origin: '*', methods: ['GET', 'HEAD'] }
    const origin = origins.includes('*') ? '*' : origins.length > 0 && [...origins]
    const withKey = { ...common, origin, methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] }
    const delegator: FastifyCorsOptionsDelegateCallback = ({ url, method, headers }, respond) => {
      // Other OPTIONS requests get their 405.
      respond(null, {
        ...(open.test(url) ? readOnly : withKey),
        preflight: method === 'OPTIONS' && isPreflight(headers),
      })
    }
    // The plugin also adds an OPTIONS route for every URL, which would hide that a URL is unknown. Its hook answers
    // before routing, so only the hook is used.
    const hooksOnly: FastifyInstance = Object.assign(Object.create(app), { options: () => hooksOnly })
    cors(hooksOnly, { delegator }, (err) => {
      if (err) throw err
    })
    // A preflight that gets here comes from an origin that is not allowed. It has no key, and a 401 would hide the
    // reason.
    app.addHook('onRequest', async ({ method, headers }, reply) => {
      if (method !== 'OPTIONS' || !isPreflight(headers)) return
      return reply.code(204).send()
    })
  },
  { name: 'cors', dependencies: ['every-request'] },
)
