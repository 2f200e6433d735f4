import type { ErrorCode } from '@platen/domain/http/error-catalogue.ts'
import type { Failure } from './failure.ts'

/** An error for the caller: its code, message and details are sent to API clients unchanged. */
export class DomainError extends Error {
  override readonly name = 'DomainError'
  readonly code: ErrorCode
  readonly details: unknown

  constructor(code: ErrorCode, message: string, options: { details?: unknown; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.details = options.details
  }

  static from(failure: Failure): DomainError {
    return new DomainError(failure.code, failure.message, { details: failure.details })
  }

  toFailure(): Failure {
    return { code: this.code, message: this.message, ...(this.details !== undefined && { details: this.details }) }
  }
}

/** Throws a DomainError as an expression: `find(id) ?? fail('TEMPLATE_NOT_FOUND', …)`. */
export function fail(code: ErrorCode, message: string, details?: unknown): never {
  throw new DomainError(code, message, { details })
}

/** A backing service cannot be reached. The work itself is not at fault and can be retried. */
export class DependencyUnavailable extends Error {
  override readonly name: string = 'DependencyUnavailable'
}
