import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import fp from 'fastify-plugin'
import manifest from '../../../../../package.json' with { type: 'json' }
import { docsPolicy } from '../headers/response-headers.ts'
import { addAnswerExamples } from './answer-examples.ts'
import { openResponses } from './open-responses.ts'
import { describeHeaders } from './response-headers.ts'
import {
  describeBodies,
  type Node,
  nameSchemas,
  nameSharedValues,
  stateRules,
  styleParameters,
} from './rewrite-document.ts'
import { addSharedSchemas, scopesOf } from './route-schemas.ts'
import { describeCallbacks, referToWebhooks, webhooks } from './webhooks.ts'

const description = `
Renders stored Handlebars templates or inline HTML to PDF files, synchronously or from a queue, with webhooks.

Requests under \`/v1\` carry \`Authorization: Bearer <API_KEY>\`, or Basic with the key as the user name. Only signed file URLs need
no key.
Pages of this server may send the cookie of a session instead, see \`POST /v1/session\`.
Every response has an \`x-request-id\` header. Every error has the form
\`{"error": {"code", "message", "details"?}, "request_id"}\`. Codes are stable; messages may change.
An API key has scopes: \`templates:read\`, \`templates:write\`, \`generate\`, \`generations:read\` and \`admin\`, which includes the others.
Each operation names the scope that it needs.
Lists are sorted newest first. \`next_cursor\` is present only if there are more items.

For generators of clients that cannot read \`webhooks\`, \`/openapi.json?webhooks=false\` is this document without them.
For those that read OpenAPI 3.0 only, \`/openapi-3.0.json\` describes the same requests and responses.
Codes and other values of which the description says that later versions may add others are open: expect unknown ones.
Objects of responses are open, too: later versions may add fields. Those of requests are closed: an unknown field is refused.
The events on NATS are described at [/docs/events](/docs/events) and by AsyncAPI, \`/asyncapi.yaml\` and \`/asyncapi.json\`.
`

const nameTypes = (document: Node) =>
  nameSharedValues(nameSchemas(styleParameters(describeBodies(stateRules(document)))))
const describe = (document: Node) =>
  describeCallbacks(referToWebhooks(describeHeaders(addAnswerExamples(openResponses(nameTypes(document))))))

/** Serves the OpenAPI document, which is generated from the schemas of the routes, and a page to try it at `/docs/api`. */
export const openApi = fp<{ hasPage: boolean }>(
  async (app, { hasPage }) => {
    await app.register(swagger, {
      openapi: {
        openapi: '3.1.0',
        info: {
          title: 'Platen',
          version: manifest.version,
          description: description.trim(),
          license: { name: 'MIT', identifier: 'MIT' },
        },
        servers: [{ url: '/', description: 'The server of this document' }],
        tags: [
          { name: 'Generations', description: 'Generate PDF files, poll and cancel generations' },
          { name: 'PDF tools', description: 'Merge, split, stamp, protect and fill PDFs that exist' },
          { name: 'Batches', description: 'Generate many PDF files with one request' },
          { name: 'Templates', description: 'Stored, versioned Handlebars templates' },
          { name: 'Partials', description: 'Fragments and layouts that templates share' },
          { name: 'Assets', description: 'Pictures, fonts, style sheets and PDFs that documents use' },
          { name: 'Files', description: 'Download the files of generations' },
          { name: 'Webhooks', description: 'Notifications of finished generations' },
          { name: 'Administration', description: 'API keys and owners; needs the scope `admin`' },
          { name: 'Sessions', description: 'Sessions of the studio, the web application at `/studio`' },
          { name: 'Operations', description: 'Health and metrics' },
        ],
        components: {
          securitySchemes: {
            apiKey: { type: 'http', scheme: 'bearer', description: 'An API key: `pk_…`' },
            apiKeyAsUser: {
              type: 'http',
              scheme: 'basic',
              description: 'An API key as the user name. The password is ignored.',
            },
          },
        },
        // One of the two is enough.
        security: [{ apiKey: [] }, { apiKeyAsUser: [] }],
        webhooks,
      },
      transformObject: (document) =>
        'openapiObject' in document ? describe(document.openapiObject as Node) : document.swaggerObject,
      refResolver: { buildLocalReference: ({ $id }, _baseUri, _fragment, index) => String($id ?? `schema-${index}`) },
    })
    addSharedSchemas(app)
    app.addHook('onRoute', ({ method, schema, onRequest }) => {
      const scopes = scopesOf(onRequest)
      // The HEAD route of a GET route has the same schema object.
      if (!schema || scopes.length === 0 || method === 'HEAD') return
      const named = scopes.map((anyOf) => anyOf.map((scope) => `\`${scope}\``).join(' or ')).join(' and ')
      const needed = `Needs the scope${scopes.length > 1 ? 's' : ''} ${named}.`
      schema.description = [schema.description, needed].filter((part) => part !== undefined).join('\n\n')
    })
    if (!hasPage) return
    await app.register(swaggerUi, {
      routePrefix: '/docs/api',
      staticCSP: docsPolicy,
      uiConfig: { tryItOutEnabled: true, docExpansion: 'list' },
      theme: {
        title: 'Platen API',
        // The top bar shows another product's name and a field for another document's URL.
        css: [{ filename: 'theme.css', content: '.swagger-ui .topbar { display: none }' }],
      },
    })
  },
  { name: 'openapi', dependencies: ['compression', 'validation'] },
)
