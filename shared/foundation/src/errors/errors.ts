import type { Failure } from '@platen/foundation/errors/failure.ts'

/**
 * An error for the caller: its code, message and details are sent to API clients unchanged. `Code` lists the codes that
 * a package knows; those of the HTTP API are in the package domain.
 */
export class DomainError<Code extends string = string> extends Error {
  override readonly name = 'DomainError'
  readonly code: Code
  readonly details: unknown

  constructor(code: Code, message: string, options: { details?: unknown; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.details = options.details
  }

  static from<Code extends string>(failure: Failure<Code>): DomainError<Code> {
    return new DomainError(failure.code, failure.message, { details: failure.details })
  }

  toFailure(): Failure<Code> {
    return { code: this.code, message: this.message, ...(this.details !== undefined && { details: this.details }) }
  }
}

/** A backing service cannot be reached. The work itself is not at fault and can be retried. */
export class DependencyUnavailable extends Error {
  override readonly name: string = 'DependencyUnavailable'
  /** False if waiting does not end it. Messages that need the service are not held back for it. */
  readonly mayRecover: boolean = true
}

/** It stays until an operator ends it: to try again is useless. The message says what to do. */
export class NeedsOperator extends Error {
  override readonly name: string = 'NeedsOperator'
}
