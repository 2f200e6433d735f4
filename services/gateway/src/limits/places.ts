import { DomainError } from '@platen/domain/http/errors.ts'

export interface PlacesOptions {
  ofOwner: number
  all: number
  /** What the message says after "too many", such as `batches are being sent`. */
  what: string
}

/** Limits long transfers of a gateway. Each holds a few MiB of memory for as long as its client takes. */
export class Places {
  readonly #options: PlacesOptions
  readonly #byOwner = new Map<string, number>()
  #count = 0

  constructor(options: PlacesOptions) {
    this.#options = options
  }

  /** Takes a place until disposal. Throws CONCURRENCY_LIMIT_EXCEEDED. */
  take(ownerId: string): Disposable {
    const { ofOwner, all, what } = this.#options
    const own = this.#byOwner.get(ownerId) ?? 0
    if (own >= ofOwner || this.#count >= all) {
      const message = `Too many ${what} at the same time; retry in a few seconds`
      throw new DomainError('CONCURRENCY_LIMIT_EXCEEDED', message, { details: { retry_after_s: 5 } })
    }
    this.#byOwner.set(ownerId, own + 1)
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
