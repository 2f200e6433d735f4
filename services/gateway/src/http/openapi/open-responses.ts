import { mapObjects, type Node, namesOfSchemas } from './rewrite-document.ts'

/**
 * Opens the schemas of responses: a client that takes its document at its word reads the answers of later versions,
 * which may have more fields. A schema that requests have, too, stays closed there, as a field that the server does not know is
 * refused. Responses have an open copy of it: `MarginResponse`.
 */
export function openResponses(document: Node): Node {
  const components = document.components as Node & { schemas: Record<string, Node> }
  const { schemas } = components
  const responses: unknown[] = [document.webhooks]
  const requests = mapObjects(document.paths, ({ responses: ofOperation, ...node }) => {
    responses.push(ofOperation)
    return node
  })
  const sent = namesOfSchemas(responses, schemas)
  const received = namesOfSchemas(requests, schemas)
  const isClosed = (name: string) =>
    [name, ...namesOfSchemas(schemas[name], schemas)].some((one) => schemas[one]?.additionalProperties === false)
  const isCopied = (name: string) => sent.has(name) && received.has(name) && isClosed(name)

  const open = (value: unknown) =>
    mapObjects(value, ({ $ref, ...node }) => {
      if (typeof $ref === 'string') return { $ref: isCopied(nameOf($ref)) ? `${$ref}Response` : $ref, ...node }
      if (node.additionalProperties !== false || !('properties' in node)) return node
      const { additionalProperties: _, ...rest } = node
      return rest
    }) as Node
  const opened = Object.entries(schemas).flatMap(([name, schema]) => {
    if (isCopied(name)) return [[name, schema] as const, [`${name}Response`, open(schema)] as const]
    return [[name, sent.has(name) && !received.has(name) ? open(schema) : schema] as const]
  })
  return {
    ...document,
    paths: mapObjects(document.paths, (node) =>
      'responses' in node ? { ...node, responses: open(node.responses) } : node,
    ),
    webhooks: open(document.webhooks),
    components: { ...components, schemas: Object.fromEntries(opened) },
  }
}

const nameOf = ($ref: string) => $ref.slice($ref.lastIndexOf('/') + 1)
