import { mayHaveMore, type Share } from './share.ts'

export interface PlacesOptions extends Share {
  /** The places of all owners together. */
  all: number
}

/** Places of this process that owners share, for what ends with the process: a transfer, or bytes in memory. */
export class Places {
  readonly #options: PlacesOptions
  readonly #byOwner = new Map<string, number>()
  #taken = 0

  constructor(options: PlacesOptions) {
    this.#options = options
  }

  /** Takes places until disposal. Undefined if the owner has its share, or so many are not free. */
  take(ownerId: string, count = 1): Disposable | undefined {
    const free = this.#options.all - this.#taken
    if (!mayHaveMore(this.#options, { has: this.takenBy(ownerId), more: count, free })) return undefined
    this.#add(ownerId, count)
    let isTaken = true
    return {
      [Symbol.dispose]: () => {
        if (isTaken) this.#add(ownerId, -count)
        isTaken = false
      },
    }
  }

  takenBy(ownerId: string): number {
    return this.#byOwner.get(ownerId) ?? 0
  }

  #add(ownerId: string, count: number): void {
    this.#taken += count
    const taken = this.takenBy(ownerId) + count
    if (taken > 0) this.#byOwner.set(ownerId, taken)
    else this.#byOwner.delete(ownerId)
  }
}
