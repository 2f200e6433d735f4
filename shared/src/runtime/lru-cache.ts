/** Keeps the values used last, bounded by their number and by the total length of their keys in characters. */
export class LruCache<Value> {
  readonly #values = new Map<string, Value>()
  readonly #maxCount: number
  readonly #maxWeight: number
  #weight = 0

  constructor(bounds: { maxCount: number; maxWeight: number }) {
    this.#maxCount = bounds.maxCount
    this.#maxWeight = bounds.maxWeight
  }

  get(key: string): Value | undefined {
    const value = this.#values.get(key)
    if (value !== undefined) {
      this.#values.delete(key)
      this.#values.set(key, value)
    }
    return value
  }

  set(key: string, value: Value): void {
    if (key.length > this.#maxWeight) return
    this.#remove(key)
    this.#values.set(key, value)
    this.#weight += key.length
    for (const oldest of this.#values.keys()) {
      if (this.#values.size <= this.#maxCount && this.#weight <= this.#maxWeight) return
      this.#remove(oldest)
    }
  }

  #remove(key: string): void {
    if (this.#values.delete(key)) this.#weight -= key.length
  }
}
