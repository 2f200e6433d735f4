import type { FastifyPluginAsyncTypebox, TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyBaseLogger, FastifyPluginOptions, RawServerDefault } from 'fastify'
import fp from 'fastify-plugin'

const common = ['errors', 'validation', 'json-body', 'expect-continue', 'unknown-urls', 'openapi']

/** The routes of a resource under `/v1`. Their requests have an API key and an owner. */
export function resource<Options extends FastifyPluginOptions>(
  name: string,
  routes: FastifyPluginAsyncTypebox<Options>,
): FastifyPluginAsyncTypebox<Options> {
  return plugin(name, routes, [...common, 'authentication', 'owner', 'unknown-urls-with-key'])
}

/** Routes that need no API key. */
export function openResource<Options extends FastifyPluginOptions>(
  name: string,
  routes: FastifyPluginAsyncTypebox<Options>,
): FastifyPluginAsyncTypebox<Options> {
  return plugin(name, routes, common)
}

/**
 * Wraps a plugin in its own scope. Fastify refuses to start if a plugin that it depends on was not registered before.
 */
function plugin<Options extends FastifyPluginOptions>(
  name: string,
  routes: FastifyPluginAsyncTypebox<Options>,
  dependencies: string[],
): FastifyPluginAsyncTypebox<Options> {
  return fp<Options, RawServerDefault, TypeBoxTypeProvider, FastifyBaseLogger, FastifyPluginAsyncTypebox<Options>>(
    routes,
    { name, dependencies, encapsulate: true },
  )
}
