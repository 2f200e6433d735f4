import { ObjectStoreUnavailable } from '../../object-store.ts'

/** The store let a deadline pass. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer'
  readonly code = 'TIMEOUT'
}

/** An answer that says nothing but that the store, or a proxy before it, is in trouble. */
export class BadStatus extends Error {
  override readonly name = 'BadStatus'
  readonly code: string

  constructor(status: number | undefined) {
    super(`The object store answered with status ${status}`)
    this.code = `HTTP ${status}`
  }
}

/** The code that the store, the system or we gave the failure; the rest may name hosts. */
export function codeOf(err: unknown): string | undefined {
  return err instanceof Error && 'code' in err && typeof err.code === 'string' ? err.code : undefined
}

/**
 * Whatever hinders the store, from a refused connection to keys withdrawn, is for waiting: no object is at fault for it.
 * What the client refuses before it asks is a fault of ours, and passes as it is.
 */
export function toUnavailable(done: string, err: unknown): Error {
  if (err instanceof TypeError || err instanceof ObjectStoreUnavailable) return err
  return new ObjectStoreUnavailable(`The object store cannot be ${done} (${codeOf(err) ?? 'no usable answer'})`, {
    cause: err,
  })
}
