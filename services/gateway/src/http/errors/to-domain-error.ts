import type { ErrorCode } from '@platen/shared/contracts/error-code.ts'
import { ObjectStoreUnavailable } from '@platen/shared/object-store/object-store.ts'
import { DependencyUnavailable, DomainError } from '@platen/shared/runtime/errors.ts'
import type { ErrorObject } from 'ajv'
import { fieldProblems } from './field-problems.ts'
import { validationError } from './invalid-field.ts'

const ofFastify: Record<string, readonly [ErrorCode, string]> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ['PAYLOAD_TOO_LARGE', 'The body is larger than this route takes'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['UNSUPPORTED_MEDIA_TYPE', 'The body must be JSON: content-type: application/json'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['INVALID_REQUEST', 'The body is not as long as content-length says'],
  FST_ERR_BAD_URL: ['INVALID_REQUEST', 'The address is not a valid URL'],
  FST_ERR_NOT_FOUND: ['NOT_FOUND', 'There is nothing at this address'],
}

/** What a caller may read of anything that was thrown. The rest of it belongs in the log. */
export function toDomainError(err: unknown): DomainError {
  if (err instanceof DomainError) return err
  if (err instanceof ObjectStoreUnavailable) {
    return new DomainError('STORAGE_UNAVAILABLE', 'The file store cannot be reached at the moment', { cause: err })
  }
  if (err instanceof DependencyUnavailable) {
    return new DomainError('SERVICE_UNAVAILABLE', 'The service cannot do this at the moment', { cause: err })
  }
  return ofHttp(err) ?? new DomainError('INTERNAL_ERROR', 'Something went wrong on our side', { cause: err })
}

interface HttpError {
  code?: string
  statusCode?: number
  validation?: ErrorObject[]
  validationContext?: string
}

function ofHttp(err: unknown): DomainError | undefined {
  if (!(err instanceof Error)) return undefined
  const { code = '', statusCode = 500, validation, validationContext = 'body' } = err as HttpError
  if (validation) return validationError(fieldProblems(validation), `the ${validationContext}`)
  const known = ofFastify[code]
  if (known) return new DomainError(known[0], known[1], { cause: err })
  if (statusCode < 400 || statusCode >= 500) return undefined
  return new DomainError('INVALID_REQUEST', 'The request cannot be understood', { cause: err })
}
