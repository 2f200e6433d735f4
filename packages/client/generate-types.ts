import openapiTypescript, { astToString, type OpenAPI3 } from 'openapi-typescript'

const head = '// Made by `npm run generate` from the OpenAPI document of Platen.\n\n'

/** TypeScript types of an OpenAPI document, for openapi-fetch. */
export async function typesOf(document: OpenAPI3): Promise<string> {
  // A field with a default may be left out of a request.
  const types = await openapiTypescript(withBriefResponses(document), { defaultNonNullable: false })
  return head + astToString(types)
}

interface Response {
  description: string
  headers?: unknown
  content?: Record<string, { schema?: { $ref?: string } }>
}

/** Without what gives no type to openapi-fetch: the headers of responses, and each status of the same error envelope. */
function withBriefResponses(document: OpenAPI3): OpenAPI3 {
  const copy = structuredClone(document)
  for (const operations of Object.values(copy.paths ?? {})) {
    for (const { responses } of Object.values(operations as Record<string, { responses: Record<string, Response> }>)) {
      for (const [status, { headers: _, ...response }] of Object.entries(responses)) {
        delete responses[status]
        const isError = response.content?.['application/json']?.schema?.$ref === '#/components/schemas/ErrorEnvelope'
        responses[isError ? 'default' : status] = isError ? { ...response, description: 'An error.' } : response
      }
    }
  }
  delete copy.components?.headers
  return copy
}
