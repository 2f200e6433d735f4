/** Keeps the values used last, bounded by their number and their total weight: by default the length of their keys in characters. */
export class LruCache<Value> {
  /** Each value with its weight when it was set, as the weight may change later. */
  readonly #values = new Map<string, { value: Value; weight: number }>()
  readonly #maxCount: number
  readonly #maxWeight: number
  readonly #weightOf: (key: string, value: Value) => number
  #weight = 0

  constructor(bounds: { maxCount: number; maxWeight: number; weightOf?: (key: string, value: Value) => number }) {
    this.#maxCount = bounds.maxCount
    this.#maxWeight = bounds.maxWeight
    this.#weightOf = bounds.weightOf ?? ((key) => key.length)
  }

  get(key: string): Value | undefined {
    const entry = this.#values.get(key)
    if (entry !== undefined) {
      this.#values.delete(key)
      this.#values.set(key, entry)
    }
    return entry?.value
  }

  set(key: string, value: Value): void {
    this.#remove(key)
    const weight = this.#weightOf(key, value)
    if (weight > this.#maxWeight) return
    this.#values.set(key, { value, weight })
    this.#weight += weight
    for (const oldest of this.#values.keys()) {
      if (this.#values.size <= this.#maxCount && this.#weight <= this.#maxWeight) return
      this.#remove(oldest)
    }
  }

  #remove(key: string): void {
    const entry = this.#values.get(key)
    if (entry !== undefined && this.#values.delete(key)) this.#weight -= entry.weight
  }
}
