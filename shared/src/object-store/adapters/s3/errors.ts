import { ObjectStoreUnavailable } from '../../object-store.ts'

/** The store did not answer in time. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer'
  readonly code = 'TIMEOUT'
}

/** An error status of the store or of a proxy in front of it. */
export class BadStatus extends Error {
  override readonly name = 'BadStatus'
  readonly code: string

  constructor(status: number | undefined) {
    super(`The object store answered with status ${status}`)
    this.code = `HTTP ${status}`
  }
}

/** The error code. Unlike the message, it contains no host names. */
export function codeOf(err: unknown): string | undefined {
  return err instanceof Error && 'code' in err && typeof err.code === 'string' ? err.code : undefined
}

/**
 * Converts every failure of the store, from a refused connection to revoked keys, to ObjectStoreUnavailable: no object
 * is at fault. TypeErrors are bugs of ours and pass unchanged.
 */
export function toUnavailable(action: string, err: unknown): Error {
  if (err instanceof TypeError || err instanceof ObjectStoreUnavailable) return err
  return new ObjectStoreUnavailable(`The object store cannot be ${action} (${codeOf(err) ?? 'unexpected response'})`, {
    cause: err,
  })
}
