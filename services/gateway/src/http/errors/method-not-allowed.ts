import { DomainError } from '@platen/domain/http/errors.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { notFound } from './error-response.ts'

export interface KnownRoutes {
  /** Throws METHOD_NOT_ALLOWED and sets `Allow` where the URL has a route for another method, else throws NOT_FOUND. */
  refuse(request: FastifyRequest, reply: FastifyReply): never
}

/** Records the methods of each route, as Fastify answers 404 to a wrong method. Call it before routes are added. */
export function recordRoutes(app: FastifyInstance): KnownRoutes {
  const known = new Map<string, { pattern: RegExp; methods: Set<string> }>()
  app.addHook('onRoute', ({ url, method }) => {
    const route = known.get(url) ?? { pattern: patternOf(url), methods: new Set() }
    for (const name of [method].flat()) route.methods.add(name)
    known.set(url, route)
  })
  return {
    refuse(request, reply) {
      const path = request.url.replace(/\?.*$/s, '').replace(/(?<=.)\/$/, '')
      const methods = known.values().find(({ pattern }) => pattern.test(path))?.methods
      // A wildcard route may itself answer that there is no such resource.
      if (!methods || methods.has(request.method)) throw notFound()
      const allowed = [...methods].sort().join(', ')
      reply.header('allow', allowed)
      throw new DomainError(
        'METHOD_NOT_ALLOWED',
        `${request.method} is not supported at this URL; supported: ${allowed}`,
      )
    },
  }
}

/** `/v1/templates/:id` → `/^\/v1\/templates\/[^/]+$/`. */
function patternOf(url: string): RegExp {
  const literal = url.replace(/[.+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`^${literal.replace(/:\w+/g, '[^/]+').replace('*', '.*')}$`)
}
