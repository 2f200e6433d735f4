import { createHash } from 'node:crypto'
import { asyncApi } from '@platen/domain/catalogue/asyncapi.ts'
import { dataSchemas } from '@platen/domain/catalogue/json-schemas.ts'
import { fail } from '@platen/domain/http/errors.ts'
import { readable } from '@platen/foundation/runtime/readable.ts'
import manifest from '../../../../package.json' with { type: 'json' }
import { openResource } from '../http/resource.ts'
import { eventsPage, pageStyle } from './events-page.ts'

const headers = { 'cache-control': 'max-age=3600', 'access-control-allow-origin': '*' }
const styleHash = createHash('sha256').update(pageStyle).digest('base64')
const policy = `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
// Few ask for them, so that they are made then.
const yaml = once(async () => {
  const { stringify } = await import('yaml')
  return stringify(asyncApi(manifest.version), { lineWidth: 120, aliasDuplicateObjects: false })
})
const page = once(() => eventsPage(manifest.version))
const hide = { schema: { hide: true } } as const

/** The description of the events: AsyncAPI, a page to read, and the JSON schemas that `dataschema` names. They need no API key. */
export const eventRoutes = openResource<{ hasPage: boolean }>('events', async (app, { hasPage }) => {
  const document = asyncApi(manifest.version)
  const schemas = dataSchemas()
  app.get('/asyncapi.json', hide, async (_request, reply) => reply.headers(headers).send(document))

  app.get('/asyncapi.yaml', hide, async (_request, reply) =>
    // The type is that of RFC 9512.
    reply
      .headers(headers)
      .type('application/yaml')
      .send(await yaml()),
  )

  if (hasPage) {
    app.get('/docs/events', hide, async (_request, reply) =>
      reply.header('content-security-policy', policy).type('text/html; charset=utf-8').send(page()),
    )
  }

  app.get('/schemas', hide, async (_request, reply) => reply.headers(headers).send({ schemas: [...schemas.keys()] }))

  app.get<{ Params: { file: string } }>('/schemas/:file', hide, async (request, reply) => {
    const { file } = request.params
    const schema = schemas.get(file) ?? fail('NOT_FOUND', `There is no schema ${readable(file)}; see /schemas`)
    return reply.headers(headers).send(schema)
  })
})

function once<Made>(make: () => Made): () => Made {
  let made: Made | undefined
  return () => {
    made ??= make()
    return made
  }
}
