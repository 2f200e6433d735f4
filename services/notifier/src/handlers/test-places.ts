/** Tests of webhooks at once. */
const maxAtOnce = 16
/** The most tests of one owner at a time. Its receivers may be slow, and others must still find a place. */
const maxOfOwner = 4

/** The places for tests of webhooks that run at the same time. */
export class TestPlaces {
  readonly #taken = new Map<string, number>()

  /** Takes a place until the function that it returns is called. Undefined if there is none for this owner. */
  take(ownerId: string): (() => void) | undefined {
    const ofOwner = this.#taken.get(ownerId) ?? 0
    const ofAll = [...this.#taken.values()].reduce((sum, count) => sum + count, 0)
    if (ofOwner >= maxOfOwner || ofAll >= maxAtOnce) return undefined
    this.#taken.set(ownerId, ofOwner + 1)
    return () => {
      const left = (this.#taken.get(ownerId) ?? 0) - 1
      if (left > 0) this.#taken.set(ownerId, left)
      else this.#taken.delete(ownerId)
    }
  }
}
