/** A time series costs memory here and in Prometheus: owners after this number share one. */
const maxLabels = 500

/** The label of an owner: its id, or `other` if there are too many. */
export class BoundedLabels {
  readonly #known = new Set<string>()
  readonly #max: number

  constructor(max = maxLabels) {
    this.#max = max
  }

  of(owner: string): string {
    if (this.#known.has(owner)) return owner
    if (this.#known.size >= this.#max) return 'other'
    this.#known.add(owner)
    return owner
  }
}
