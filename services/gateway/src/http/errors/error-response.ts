import { type ErrorCode, errorCatalogue } from '@platen/domain/http/error-catalogue.ts'
import { DomainError } from '@platen/domain/http/errors.ts'
import type { ErrorEnvelope } from '@platen/domain/http/http.ts'
import { DependencyUnavailable } from '@platen/foundation/errors/errors.ts'
import { ObjectStoreUnavailable } from '@platen/object-store/object-store.ts'
import type { ErrorObject } from 'ajv'
import { securityHeaders } from '../headers/response-headers.ts'
import { fieldProblems, validationError } from './field-problems.ts'

const notFoundMessage = 'There is no endpoint at this URL; see /openapi.json for the API'

export function notFound(): DomainError {
  return new DomainError('NOT_FOUND', notFoundMessage)
}

const fastifyErrors: Record<string, readonly [ErrorCode, string]> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [
    'UNSUPPORTED_MEDIA_TYPE',
    'The request body must be JSON: send content-type: application/json',
  ],
  FST_ERR_NOT_FOUND: ['NOT_FOUND', notFoundMessage],
  FST_ERR_BAD_URL: ['INVALID_REQUEST', 'The URL is malformed: check its percent-encoding'],
}

/** Maps anything thrown to an error that clients may see. Its cause is for the log only. */
export function toDomainError(err: unknown): DomainError {
  if (err instanceof DomainError) return err
  if (err instanceof ObjectStoreUnavailable) {
    return new DomainError('STORAGE_UNAVAILABLE', 'The object store is unavailable; retry later', { cause: err })
  }
  if (err instanceof DependencyUnavailable) {
    return new DomainError('SERVICE_UNAVAILABLE', 'A backing service is unavailable; retry later', { cause: err })
  }
  const message = 'Internal error; the server log has the details under this request_id'
  return fromHttpError(err) ?? new DomainError('INTERNAL_ERROR', message, { cause: err })
}

/** The fields that Fastify and its plugins set on their errors. */
interface HttpError {
  code?: string
  statusCode?: number
  validation?: ErrorObject[]
  validationContext?: string
}

function fromHttpError(err: unknown): DomainError | undefined {
  if (!(err instanceof Error)) return undefined
  const { code = '', statusCode = 500, validation, validationContext = 'body' } = err as HttpError
  if (validation) return validationError(fieldProblems(validation, validationContext), `the ${validationContext}`)
  const known = fastifyErrors[code]
  if (known) return new DomainError(known[0], known[1], { cause: err })
  if (statusCode < 400 || statusCode >= 500) return undefined
  return new DomainError('INVALID_REQUEST', 'The HTTP request is malformed', { cause: err })
}

/** `Retry-After` of a 503 whose error does not set one. */
const retryAfterS = 2

/** Headers for a generation that has not ended: when to poll again, in seconds. */
export const pollAgain = { 'retry-after': '1' }

function locationOf({ details }: DomainError): { location?: string } {
  const url = typeof details === 'object' && details && 'poll_url' in details ? details.poll_url : undefined
  return typeof url === 'string' ? { location: url } : {}
}

function retryAfterOf({ details }: DomainError, status: number): { 'retry-after'?: string } {
  const known = typeof details === 'object' && details && 'retry_after_s' in details ? details.retry_after_s : undefined
  if (typeof known === 'number') return { 'retry-after': String(known) }
  return status === 503 ? { 'retry-after': String(retryAfterS) } : {}
}

/** Status, headers and body of an error response. */
export function errorResponse(error: DomainError, requestId: string) {
  const body: ErrorEnvelope = { error: error.toFailure(), request_id: requestId }
  const { status } = errorCatalogue[error.code]
  const headers: Record<string, string> = {
    ...securityHeaders,
    'cache-control': 'no-store',
    ...(status === 401 && { 'www-authenticate': 'Bearer' }),
    ...retryAfterOf(error, status),
    ...(error.code === 'WAIT_TIMEOUT' && { ...pollAgain, ...locationOf(error) }),
  }
  return { status, headers, body }
}
