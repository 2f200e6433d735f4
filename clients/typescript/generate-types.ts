import openapiTypescript, { astToString, type OpenAPI3 } from 'openapi-typescript'

const head = '// Made by `npm run generate` from the OpenAPI document of Platen.\n\n'

/** TypeScript types of an OpenAPI document, for openapi-fetch. */
export async function typesOf(document: OpenAPI3): Promise<string> {
  // A field with a default may be left out of a request.
  const types = await openapiTypescript(withTypesOnly(document), { defaultNonNullable: false })
  return head + astToString(types)
}

/** The values that are known are the type of a text to which later versions add others: an editor lists them. */
function withKnownValues(document: OpenAPI3): OpenAPI3 {
  return JSON.parse(JSON.stringify(document), (_, node) => {
    const { 'x-extensible-enum': values, ...rest } = node ?? {}
    return Array.isArray(values) ? { ...rest, enum: values } : node
  })
}

interface Operation {
  requestBody?: { content: Record<string, { example?: unknown; examples?: unknown }> }
  responses: Record<string, Response>
}

interface Response {
  description: string
  headers?: unknown
  content?: Record<string, { schema?: { $ref?: string }; example?: unknown }>
}

/**
 * Removes what openapi-fetch has no type for: response headers, each error status with the same envelope, and examples
 * (one contains the current date, which would change the file every day).
 */
function withTypesOnly(document: OpenAPI3): OpenAPI3 {
  const copy = withKnownValues(document)
  for (const operations of Object.values(copy.paths ?? {})) {
    for (const { requestBody, responses } of Object.values(operations as Record<string, Operation>)) {
      for (const content of Object.values(requestBody?.content ?? {})) {
        delete content.example
        delete content.examples
      }
      for (const [status, { headers: _, ...response }] of Object.entries(responses)) {
        delete responses[status]
        if (response.content?.['application/json']) delete response.content['application/json'].example
        const isError = response.content?.['application/json']?.schema?.$ref === '#/components/schemas/ErrorEnvelope'
        responses[isError ? 'default' : status] = isError ? { ...response, description: 'An error.' } : response
      }
    }
  }
  delete copy.components?.headers
  return copy
}
