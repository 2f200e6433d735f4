import fastify from 'fastify'
import fp from 'fastify-plugin'
import t from 'tap'
import { errorHandler } from './errors/error-handler.ts'
import { everyRequest } from './plugins/every-request.ts'
import { shutdown } from './plugins/shutdown.ts'
import { openResource, resource } from './resource.ts'

const { signal: stopping } = new AbortController()

t.test('the start fails if a plugin comes before one that it depends on', async (t) => {
  const app = fastify()
  app.register(errorHandler)
  app.register(everyRequest)
  app.register(shutdown, { stopping })
  await t.rejects(async () => app.ready(), {
    message: "The dependency 'shutdown' of plugin 'every-request' is not registered",
  })
})

t.test('the start fails if the routes of a resource are in a scope without authentication', async (t) => {
  for (const [register, missing] of [
    [resource, 'authentication'],
    [openResource, 'openapi'],
  ] as const) {
    const app = fastify()
    const before = ['errors', 'validation', 'json-body', 'expect-continue', 'unknown-urls', 'openapi']
    for (const name of before.filter((name) => name !== missing)) app.register(fp(async () => {}, { name }))
    const routes = register('things', async (things) => {
      things.get('/things', async () => [])
    })
    app.register(routes)
    await t.rejects(async () => app.ready(), {
      message: `The dependency '${missing}' of plugin 'things' is not registered`,
    })
  }
})
