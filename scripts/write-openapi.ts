import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { startTestGateway } from '@platen/test-support/gateway/test-gateway.ts'
import { asOpenApi30 } from '../services/gateway/src/http/openapi/openapi-3-0.ts'
import { mapObjects, type Node } from '../services/gateway/src/http/openapi/rewrite-document.ts'

const pathOf = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url))
/** The document as it is served. */
export const openApiPath = pathOf('docs/openapi.json')
/** The document of the last release, in the form of `comparable`. */
export const releasedPath = pathOf('test/docs/released/openapi.json')

/** The document as it is committed: the example with the date of yesterday has a fixed one. */
export function committed(document: Node): string {
  const fixed = mapObjects(document, (node) => {
    const isDate = Object.keys(node).length === 1 && /^\d{4}-\d\d-\d\d$/.test(String(node.since))
    return isDate ? { since: '2026-01-30' } : node
  })
  return `${JSON.stringify(fixed, null, 1)}\n`
}

interface Operation {
  responses: Record<string, Node>
}

/**
 * The part of the document that clients rely on, as OpenAPI 3.0: paths, parameters, bodies, responses. The common error
 * body is kept in one response only, which makes the comparison ten times as fast.
 */
export function comparable(document: Node): string {
  const copy = structuredClone(document) as { paths: Record<string, Record<string, Operation>> }
  let hasError = false
  for (const operation of Object.values(copy.paths).flatMap(Object.values<Operation>)) {
    for (const [status, response] of Object.entries(operation.responses)) {
      const isError = Number(status) >= 400
      if (isError && hasError) delete operation.responses[status]
      hasError ||= isError
      delete response.headers
    }
  }
  const short = mapObjects(copy, ({ example: _, examples: __, ...node }) =>
    typeof node.description === 'string' ? { ...node, description: '' } : node,
  )
  return `${JSON.stringify(short, null, 1)}\n`
}

if (import.meta.main) {
  await using gateway = await startTestGateway()
  const { body } = await gateway.call('GET', '/openapi.json', { key: null })
  await writeFile(openApiPath, committed(body))
  if (process.argv.includes('--release')) {
    await writeFile(releasedPath, comparable(asOpenApi30(body)))
  }
}
