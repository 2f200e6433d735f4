import { DomainError as AnyDomainError } from '@platen/foundation/errors/errors.ts'
import type { ErrorCode } from './error-catalogue.ts'

/** A DomainError with a code of the error catalogue. */
export type DomainError = AnyDomainError<ErrorCode>
export const DomainError: typeof AnyDomainError<ErrorCode> = AnyDomainError

/** Throws a DomainError as an expression: `find(id) ?? fail('TEMPLATE_NOT_FOUND', …)`. */
export function fail(code: ErrorCode, message: string, details?: unknown): never {
  throw new DomainError(code, message, { details })
}
