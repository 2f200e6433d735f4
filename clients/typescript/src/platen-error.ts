import type { components } from './api-types.ts'

type ErrorCode = components['schemas']['ErrorCode']

/**
 * A code of the API (docs/reference/errors.md), or one of the client:
 * - `NETWORK_ERROR`: the server was not reached, the connection broke, or the response is not HTTP.
 * - `TIMEOUT`: the call took longer than its `timeoutMs`.
 * - `GENERATION_CANCELLED`: the generation was cancelled before it was printed.
 * - `UNEXPECTED_RESPONSE`: the response is not one of Platen, for example the error page of a proxy. `details` has its `content_type`
 *   and the first 200 bytes of its `body`.
 *
 * Later versions of Platen may have others.
 */
export type PlatenErrorCode =
  | ErrorCode
  | 'NETWORK_ERROR'
  | 'TIMEOUT'
  | 'GENERATION_CANCELLED'
  | 'UNEXPECTED_RESPONSE'
  | (string & {})

export interface PlatenErrorFields {
  code: PlatenErrorCode
  message: string
  status?: number | undefined
  requestId?: string | undefined
  generationId?: string | undefined
  generationStatus?: string | undefined
  details?: unknown
  cause?: unknown
}

/** Why a call failed. */
export class PlatenError extends Error {
  override readonly name = 'PlatenError'
  readonly code: PlatenErrorCode
  /** The status of the HTTP response that is the error. Absent if there is none, as for a generation that was polled and has failed. */
  readonly status: number | undefined
  /** `x-request-id` of the response: the server's log and events have it. */
  readonly requestId: string | undefined
  /** The id of the failed or running generation, if there is one. */
  readonly generationId: string | undefined
  /** `failed` or `cancelled`, if the generation was polled and has ended so. */
  readonly generationStatus: string | undefined
  /** Depends on the code: for `VALIDATION_ERROR` a list of `{path, message}`. */
  readonly details: unknown

  constructor({ code, message, cause, ...fields }: PlatenErrorFields) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
    this.status = fields.status
    this.requestId = fields.requestId
    this.generationId = fields.generationId
    this.generationStatus = fields.generationStatus
    this.details = fields.details
  }
}

interface Answer<Data> {
  data?: Data
  error?: unknown
  response: Response
}

/** The data of a call of `platen.api`. Throws a PlatenError for an error response. */
export async function unwrap<Data>(call: Promise<Answer<Data>> | Answer<Data>): Promise<NonNullable<Data>> {
  const { data, error, response } = await call
  if (!response.ok) throw errorOf(error, response)
  // A 204 has no data, and its type here is `never`.
  return data as NonNullable<Data>
}

/** The error of a response whose body was not read. */
export async function readError(response: Response): Promise<PlatenError> {
  const text = await response.text()
  try {
    return errorOf(JSON.parse(text), response)
  } catch {
    return errorOf(text, response)
  }
}

/** The error of a response whose status is not 2xx. `body` is its JSON or text. */
export function errorOf(body: unknown, response: Response): PlatenError {
  const { status, headers } = response
  const failure = failureOf(body)
  const requestId = headers.get('x-request-id') ?? undefined
  const generationId = stringIn(failure?.details, 'generation_id') ?? headers.get('x-generation-id') ?? undefined
  if (failure) return new PlatenError({ ...failure, status, requestId, generationId })
  const text = typeof body === 'string' ? body : (JSON.stringify(body) ?? '')
  return unexpectedResponse(response, new TextEncoder().encode(text), 'it is not an error of Platen')
}

const shownBytes = 200

/** The error for a response that a proxy, a cache or another server has sent, or changed. */
export function unexpectedResponse({ status, headers }: Response, body: Uint8Array, reason: string): PlatenError {
  const contentType = headers.get('content-type') ?? ''
  const start = new TextDecoder().decode(body.subarray(0, shownBytes))
  return new PlatenError({
    code: 'UNEXPECTED_RESPONSE',
    message: `The response is not one of Platen: ${reason} (status ${status}, ${contentType || 'no content type'})`,
    status,
    requestId: headers.get('x-request-id') ?? undefined,
    details: { content_type: contentType, body: start },
  })
}

interface Failure {
  code: string
  message: string
  details?: unknown
}

/** The `error` of an error envelope. */
export function failureOf(body: unknown): Failure | undefined {
  const error = isObject(body) ? body.error : undefined
  if (!isObject(error) || typeof error.code !== 'string' || typeof error.message !== 'string') return undefined
  return { code: error.code, message: error.message, details: error.details }
}

function stringIn(value: unknown, name: string): string | undefined {
  const field = isObject(value) ? value[name] : undefined
  return typeof field === 'string' ? field : undefined
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
