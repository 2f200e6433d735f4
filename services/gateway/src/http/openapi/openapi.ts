import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { addReferences } from './references.ts'
import { webhooks } from './webhooks.ts'

const description = `
Stores Handlebars templates and turns them, or inline HTML, into PDF files: at once or from a queue, with webhooks.

Every request under \`/v1\` carries \`Authorization: Bearer <API_KEY>\`; only the signed file addresses need no key.
Every response carries \`x-request-id\`. Every error has one shape:
\`{"error": {"code", "message", "details"?}, "request_id"}\`. Codes are stable, messages may change.
Lists are newest first; \`next_cursor\` is there only when there is more.
`

/** The reference, made from the schemas that check the requests: `/openapi.json` and, to read and try it, `/docs`. */
export async function addOpenApi(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Platen',
        version: '1.0.0',
        description: description.trim(),
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: '/', description: 'Where this document comes from' }],
      tags: [
        { name: 'Generations', description: 'Make PDF files, follow and cancel them' },
        { name: 'Templates', description: 'Stored Handlebars sources, versioned' },
        { name: 'Files', description: 'The PDF files themselves' },
        { name: 'Webhooks', description: 'Being told when a generation is done' },
        { name: 'Operations', description: 'Health and metrics' },
      ],
      components: {
        securitySchemes: { apiKey: { type: 'http', scheme: 'bearer', description: 'An API key: `pk_…`' } },
      },
      security: [{ apiKey: [] }],
      ...webhooks,
    },
    refResolver: { buildLocalReference: ({ $id }, _baseUri, _fragment, index) => String($id ?? `schema-${index}`) },
  })
  addReferences(app)
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    uiConfig: { tryItOutEnabled: true, docExpansion: 'list' },
    theme: {
      title: 'Platen API',
      // The bar asks for the address of another document and shows another product's name.
      css: [{ filename: 'theme.css', content: '.swagger-ui .topbar { display: none }' }],
    },
  })
}
