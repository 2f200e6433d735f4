import { DomainError } from '@platen/domain/http/errors.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { notFound } from '../errors/error-response.ts'

/** The methods of each route, as Fastify answers 404 to a wrong method. */
export class KnownRoutes {
  readonly #routes = new Map<string, { pattern: RegExp; methods: Set<string> }>()

  add(url: string, methods: readonly string[]): void {
    const route = this.#routes.get(url) ?? { pattern: patternOf(url), methods: new Set() }
    for (const name of methods) route.methods.add(name)
    this.#routes.set(url, route)
  }

  /** Throws METHOD_NOT_ALLOWED and sets `Allow` where the URL has a route for another method, else throws NOT_FOUND. */
  refuse(request: FastifyRequest, reply: FastifyReply): never {
    const path = request.url.replace(/\?.*$/s, '').replace(/(?<=.)\/$/, '')
    // Several may fit: `/deliveries/redeliver` and `/deliveries/:id`.
    const methods = new Set(this.#routes.values().flatMap((route) => (route.pattern.test(path) ? route.methods : [])))
    // A wildcard route may itself answer that there is no such resource.
    if (methods.size === 0 || methods.has(request.method)) throw notFound()
    const allowed = [...methods].sort().join(', ')
    reply.header('allow', allowed)
    throw new DomainError('METHOD_NOT_ALLOWED', `${request.method} is not supported at this URL; supported: ${allowed}`)
  }
}

/** Records the routes that are added after it, and refuses other requests. */
export const unknownUrls = fp<{ routes: KnownRoutes }>(
  async (app, { routes }) => {
    app.addHook('onRoute', ({ url, method }) => routes.add(url, [method].flat()))
    app.setNotFoundHandler((request, reply) => routes.refuse(request, reply))
  },
  { name: 'unknown-urls', dependencies: ['errors'] },
)

/**
 * The same in a scope that needs an API key, so that requests without one cannot find out which URLs exist. A wrong URL
 * or method is reported before the body is parsed.
 */
export const unknownUrlsWithKey = fp<{ routes: KnownRoutes }>(
  async (app, { routes }) => {
    app.setNotFoundHandler((request, reply) => routes.refuse(request, reply))
    app.addHook('onRequest', async (request, reply) => {
      if (request.is404) routes.refuse(request, reply)
    })
  },
  { name: 'unknown-urls-with-key', dependencies: ['unknown-urls', 'rate-limit'] },
)

/** `/v1/templates/:id` → `/^\/v1\/templates\/[^/]+$/`. */
function patternOf(url: string): RegExp {
  const literal = url.replace(/[.+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`^${literal.replace(/:\w+/g, '[^/]+').replace('*', '.*')}$`)
}
