import { DomainError, fail } from '@platen/domain/http/errors.ts'

export interface WorkRequest {
  ownerId: string
  apiKeyId: string
  /** Aborts when the client has disconnected. */
  disconnected: AbortSignal
}

export function tooManyRequests(): DomainError {
  const message =
    'Too many concurrent requests of this owner while other owners send some; this one was not started. Retry in 1 s'
  return new DomainError('CONCURRENCY_LIMIT_EXCEEDED', message, { details: { retry_after_s: 1 } })
}

/** Refuses a long transfer. `what`: such as `batches are being sent`. */
export function tooMany(what: string): never {
  const message = `Too many ${what} at the same time; retry in a few seconds`
  return fail('CONCURRENCY_LIMIT_EXCEEDED', message, { retry_after_s: 5 })
}

/** A request that waits longer is refused, so that its client is answered within 5 s. */
export const patience = { ms: 4_500, refusal: tooManyRequests }
