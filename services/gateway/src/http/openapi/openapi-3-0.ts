import { isDeepStrictEqual } from 'node:util'
import { defined } from '@platen/foundation/json/defined.ts'
import { mapObjects, type Node } from './rewrite-document.ts'
import { withoutWebhooks } from './webhooks.ts'

/** Keywords of JSON Schema that OpenAPI 3.0 does not have. They only restrict values, which the server does, too. */
const unknownKeywords = new Set([
  ...['$schema', 'propertyNames', 'patternProperties', 'if', 'then', 'else', 'not', 'dependentRequired'],
])
/** Keys whose values are no schemas. */
const literals = new Set(['example', 'default', 'enum', 'x-extensible-enum', 'required'])

/**
 * The document for generators of clients that read OpenAPI 3.0 only (3.0.3): without webhooks and rules that it cannot state. It
 * describes the same requests and responses.
 */
export function asOpenApi30(document: Node): Node {
  const { info, ...rest } = withoutWebhooks(document)
  const { license, ...about } = info as Node & { license: Node }
  const { identifier: _, ...named } = license
  return { ...(olderNode(rest) as Node), openapi: '3.0.3', info: { ...about, license: named } }
}

/**
 * Simplifies the document for generators such as progenitor, which support one request body, one error body and no
 * objects in a query: a merge patch is described as JSON, only the error body of the highest status is kept, and the
 * filter of metadata is left out.
 */
export function withOneBodyEach(document: Node): Node {
  const paths = mapObjects(document.paths, (node) => {
    if (typeof node.operationId !== 'string') return node
    const { requestBody, responses, parameters, ...operation } = node
    const { content, ...body } = (requestBody ?? {}) as Node & { content?: Node }
    const json = content?.['application/json']
    const one = json === undefined ? requestBody : { ...body, content: { 'application/json': json } }
    return {
      ...operation,
      ...(parameters !== undefined && {
        parameters: (parameters as Node[]).filter(({ style }) => style !== 'deepObject'),
      }),
      ...defined({ requestBody: one }),
      responses: withOneError(responses as Responses),
    }
  })
  return { ...document, paths }
}

type Responses = Record<string, Node>

/** The schemas of a response, without the examples, which differ. */
const schemasOf = (content: unknown) => mapObjects(content ?? {}, ({ example: _, examples: __, ...node }) => node)

function withOneError(responses: Responses): Responses {
  const isError = (status: string) => Number(status) >= 400
  const [, last] = Object.entries(responses).findLast(([status]) => isError(status)) ?? []
  const kept = ([status, { content }]: [string, Node]) =>
    !isError(status) || isDeepStrictEqual(schemasOf(content), schemasOf(last?.content))
  return Object.fromEntries(Object.entries(responses).filter(kept))
}

function olderNode(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(olderNode)
  if (typeof value !== 'object' || value === null) return value
  const { $ref, properties, ...node } = value as Node
  // OpenAPI 3.0 allows nothing beside `$ref`.
  if (typeof $ref === 'string') return { $ref }
  const older: Node = {}
  for (const [name, item] of Object.entries(node)) {
    if (name === 'examples') Object.assign(older, Array.isArray(item) ? { example: item[0] } : { examples: item })
    else if (literals.has(name)) older[name] = item
    else if (name === 'const') older.enum = [item]
    else if (name === 'type' && Array.isArray(item)) Object.assign(older, nullable(item))
    else if (!unknownKeywords.has(name)) older[name] = olderNode(item)
  }
  // Names of fields are no keywords.
  const fields = Object.entries((properties ?? {}) as Node).map(([name, field]) => [name, olderNode(field)])
  return properties === undefined ? older : { ...older, properties: Object.fromEntries(fields) }
}

/** `['object', 'null']`: an object that may be null. Of several types, 3.0 cannot name one. */
function nullable(types: readonly unknown[]): Node {
  const [type, ...others] = types.filter((one) => one !== 'null')
  return { ...(others.length === 0 && { type }), ...(types.includes('null') && { nullable: true }) }
}
