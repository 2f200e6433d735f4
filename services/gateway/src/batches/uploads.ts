import { DomainError } from '@platen/domain/http/errors.ts'

const maxOfOwner = 2
const maxAtOnce = 8

/** The bodies of batches that this gateway reads: each holds a few MiB for as long as its client takes. */
export class Uploads {
  readonly #byOwner = new Map<string, number>()
  #count = 0

  /** Throws CONCURRENCY_LIMIT_EXCEEDED. */
  begin(ownerId: string): Disposable {
    const ofOwner = this.#byOwner.get(ownerId) ?? 0
    if (ofOwner >= maxOfOwner || this.#count >= maxAtOnce) {
      const message = 'Too many batches are being sent at the same time; send this one in a few seconds'
      throw new DomainError('CONCURRENCY_LIMIT_EXCEEDED', message, { details: { retry_after_s: 5 } })
    }
    this.#byOwner.set(ownerId, ofOwner + 1)
    this.#count += 1
    return { [Symbol.dispose]: () => this.#end(ownerId) }
  }

  #end(ownerId: string): void {
    this.#count -= 1
    const rest = (this.#byOwner.get(ownerId) ?? 1) - 1
    if (rest > 0) this.#byOwner.set(ownerId, rest)
    else this.#byOwner.delete(ownerId)
  }
}
