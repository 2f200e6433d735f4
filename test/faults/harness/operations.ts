import type { Kind } from './client.ts'
import type { Evidence } from './evidence.ts'
import type { Door } from './system.ts'
import { verdict } from './verdict.ts'

interface Document {
  paths: Record<string, Record<string, { operationId?: string }>>
}

const writing = ['post', 'put', 'patch', 'delete']

/**
 * A comparison records nothing, and is sent again as a preview is. A retry is another request to generate, and an erasure over HTTP
 * deletes what the verb `erase` deletes. A session is a cookie, and its end is of one person only. Dead letters have a test of a crash of
 * their own. To sign is a step of an operation on PDFs that needs a key of the deployment.
 */
export const elsewhere: readonly string[] = [
  ...['compareTemplatePages', 'retryGeneration', 'eraseGenerationContent', 'createSession', 'endSession'],
  ...['retryDeadLetters', 'dropDeadLetters', 'signPdf'],
]

/** The operations of the OpenAPI document that write. Throws unless these kinds of clients send exactly them. */
export async function writeOperations(gateway: Door, kinds: readonly Pick<Kind, 'operations'>[]): Promise<string[]> {
  const { body } = await gateway.json<Document>('/openapi.json')
  const documented = Object.entries(body.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method]) => writing.includes(method))
      .map(([method, { operationId }]) => operationId ?? `${method} ${path}`)
      .filter((operation) => !elsewhere.includes(operation)),
  )
  const sent = new Set(kinds.flatMap(({ operations }) => operations))
  const missing = documented.filter((operation) => !sent.has(operation))
  if (missing.length > 0) throw new Error(`no client of the test under faults sends ${missing.join(', ')}`)
  const unknown = [...sent].filter((operation) => !documented.includes(operation))
  if (unknown.length > 0) throw new Error(`the OpenAPI document does not have ${unknown.join(', ')}`)
  return documented
}

/** Each operation that writes was accepted, so that the other invariants say something about it. */
export function* everyOperationDriven({ operations, answers }: Evidence) {
  const accepted = new Set(
    answers.filter(({ status }) => status !== 'cut' && status < 300).map(({ operation }) => operation),
  )
  for (const operation of operations)
    yield verdict(accepted.has(operation), () => `no request of ${operation} was accepted`)
}
