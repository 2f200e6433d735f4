import { DomainError } from '@platen/shared/runtime/errors.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { notFound } from './error-handler.ts'

export interface KnownRoutes {
  /** Throws 405 with `Allow` where the address is known under another method, else 404. */
  refuse(request: FastifyRequest, reply: FastifyReply): never
}

/** Fastify answers 404 to a wrong method: this remembers which methods each address has. To be called before routes are added. */
export function watchRoutes(app: FastifyInstance): KnownRoutes {
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
      // A wildcard route may have found nothing itself.
      if (!methods || methods.has(request.method)) throw notFound()
      const allowed = [...methods].sort().join(', ')
      reply.header('allow', allowed)
      throw new DomainError('METHOD_NOT_ALLOWED', `${request.method} is not possible here; allowed: ${allowed}`)
    },
  }
}

/** `/v1/templates/:id` → `/^\/v1\/templates\/[^/]+$/`. */
function patternOf(url: string): RegExp {
  const literal = url.replace(/[.+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`^${literal.replace(/:\w+/g, '[^/]+').replace('*', '.*')}$`)
}
