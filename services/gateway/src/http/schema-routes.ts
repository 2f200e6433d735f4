import { dataSchemas } from '@platen/domain/catalogue/json-schemas.ts'
import { fail } from '@platen/domain/http/errors.ts'
import { readable } from '@platen/foundation/runtime/readable.ts'
import type { FastifyInstance } from 'fastify'

/** The JSON schemas that events name in `dataschema`. They need no API key. */
export function addSchemaRoutes(app: FastifyInstance): void {
  const schemas = dataSchemas()
  const headers = { 'cache-control': 'max-age=3600', 'access-control-allow-origin': '*' }

  app.get('/schemas', { schema: { hide: true } }, async (_request, reply) =>
    reply.headers(headers).send({ schemas: [...schemas.keys()] }),
  )

  app.get<{ Params: { file: string } }>('/schemas/:file', { schema: { hide: true } }, async (request, reply) => {
    const { file } = request.params
    const schema = schemas.get(file) ?? fail('NOT_FOUND', `There is no schema ${readable(file)}; see /schemas`)
    return reply.headers(headers).send(schema)
  })
}
