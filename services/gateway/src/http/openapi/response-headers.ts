import type { Node } from './rewrite-document.ts'

const text = (description: string, example: string) => ({
  description,
  schema: { type: 'string', examples: [example] },
})
const count = (description: string, example: number) => ({
  description,
  schema: { type: 'integer', minimum: 0, examples: [example] },
})

/** Headers of responses, by the name that they have in `components/headers`. */
const headers = {
  'x-request-id': text('Identifies the request in logs and events.', 'req_01k9x2v7w3d5e8f0g2h4j6k8m0'),
  Location: text(
    'The URL of the resource, or of where to poll.',
    'http://localhost:3000/v1/generations/pdf_01k9x2v7w3',
  ),
  'Retry-After': count('Seconds after which to send the request again, or to poll.', 1),
  ETag: text('The version of a template or partial, or the SHA-256 of a file or asset.', '"3"'),
  'Last-Modified': text('When the file was written.', 'Sat, 31 Jan 2026 12:00:00 GMT'),
  'Accept-Ranges': text('The unit of ranges.', 'bytes'),
  'Content-Range': text('The range of the response, and the size of the file.', 'bytes 0-99/45120'),
  'Content-Disposition': text('The name of the file.', 'inline; filename="pdf_01k9x2v7w3d5e8f0g2h4j6k8m0.pdf"'),
  'Preference-Applied': text('The preferences of `Prefer` that were applied.', 'respond-async'),
  'x-generation-id': text('The id of the generation.', 'pdf_01k9x2v7w3d5e8f0g2h4j6k8m0'),
  'idempotency-replayed': text('`true` if an earlier request had the same `Idempotency-Key`.', 'true'),
  'Set-Cookie': text(
    'The session. `HttpOnly`, `SameSite=Strict`, and `Secure` where the page has TLS.',
    'platen_session=key_5x0w8z7v3d2e8f0g2h4j6k8m0a.1769860800.1769904000.…; Path=/; HttpOnly; SameSite=Strict',
  ),
  'WWW-Authenticate': text('How to authenticate.', 'Bearer'),
  'Accept-Encoding': text('`identity`, if the request body was compressed.', 'identity'),
  'RateLimit-Limit': count('Requests per minute of the owner. Present if the deployment has a limit.', 600),
  'RateLimit-Remaining': count('Requests that are left. Present if the deployment has a limit.', 599),
  'RateLimit-Reset': count('Seconds until the limit is renewed. Present if the deployment has a limit.', 60),
}
export type HeaderName = keyof typeof headers

const rateLimit: HeaderName[] = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset']

/** The headers of a status, for every operation. */
const ofStatus: Record<string, HeaderName[]> = {
  401: ['WWW-Authenticate'],
  415: ['Accept-Encoding'],
  429: ['Retry-After'],
  503: ['Retry-After'],
}

/**
 * Adds the headers of each response, by status. Headers of every operation, and of every response with the status, are
 * not listed here.
 */
export function withHeaders<Responses extends Record<number, object>>(
  headers: Partial<Record<number, readonly HeaderName[]>>,
  responses: Responses,
): Responses {
  const described = { ...responses }
  for (const [status, names = []] of Object.entries(headers)) {
    // @fastify/swagger copies headers of this form into the document, where `describeHeaders` finds their names.
    const stated = Object.fromEntries(names.map((name) => [name, {}]))
    Object.assign(described, { [status]: { ...responses[Number(status)], headers: stated } })
  }
  return described
}

interface Operation extends Node {
  operationId: string
  responses: Record<string, Node>
}

/** Adds the headers to the responses of every operation. */
export function describeHeaders(document: Node): Node {
  const paths = document.paths as Record<string, Record<string, Operation>>
  for (const [path, operations] of Object.entries(paths)) {
    for (const { operationId, responses } of Object.values(operations)) {
      for (const [status, { headers: stated = {}, ...response }] of Object.entries(responses)) {
        const names: HeaderName[] = [
          'x-request-id',
          ...(ofStatus[status] ?? []),
          ...(Object.keys(stated as object) as HeaderName[]),
          ...(path.startsWith('/v1/') && operationId !== 'getFile' && Number(status) !== 401 ? rateLimit : []),
        ]
        const refs = [...new Set(names)].map((name) => [name, { $ref: `#/components/headers/${name}` }])
        responses[status] = { ...response, headers: Object.fromEntries(refs) }
      }
    }
  }
  return { ...document, components: { ...(document.components as Node), headers } }
}
