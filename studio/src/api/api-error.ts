import type { components } from '../../../clients/typescript/src/api-types.ts'

type Envelope = components['schemas']['ErrorEnvelope']

/** One thing that is wrong with a field of a request. `path` is dotted: `options.margin.top`. */
export interface FieldProblem {
  path: string
  message: string
}

/** An error response of the API, or `NETWORK_ERROR` if there was none. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: string
  /** 0 if there was no response. */
  readonly status: number
  readonly requestId: string | undefined
  readonly details: unknown

  constructor(
    message: string,
    more: { code: string; status: number; requestId?: string | undefined; details?: unknown },
  ) {
    super(message)
    this.code = more.code
    this.status = more.status
    this.requestId = more.requestId
    this.details = more.details
  }

  /** What is wrong with the fields of the request; empty for other errors. */
  get problems(): readonly FieldProblem[] {
    return Array.isArray(this.details) ? this.details.filter(isProblem) : []
  }

  /** What is wrong with this field. */
  problemOf(path: string): string | undefined {
    return this.problems.find((problem) => problem.path === path)?.message
  }
}

/** The error in the body of a response, which a proxy in between may have written. */
export function errorOf(body: unknown, { status, headers }: Response): ApiError {
  const requestId = headers.get('x-request-id') ?? undefined
  if (!isEnvelope(body))
    return new ApiError(`The server answered ${status}`, { code: `HTTP_${status}`, status, requestId })
  const { code, message, details } = body.error
  return new ApiError(message, { code, status, requestId: body.request_id, details })
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
const isEnvelope = (body: unknown): body is Envelope => isObject(body) && isObject(body.error)
const isProblem = (value: unknown): value is FieldProblem =>
  isObject(value) && typeof value.path === 'string' && typeof value.message === 'string'
