interface Kept {
  until: number
  tag: string
  value: unknown
}

/** What need not be asked for again for a while, by who gathers often. */
export class StatusMemory {
  readonly #kept = new Map<string, Kept>()

  /** The value of an earlier call with this name and tag in the last `ms`, or what `read` resolves to. A failure is not kept. */
  async keep<Value>(name: string, ms: number, read: () => Promise<Value>, tag = ''): Promise<Value> {
    const kept = this.#kept.get(name)
    if (kept !== undefined && kept.tag === tag && kept.until > performance.now()) return kept.value as Value
    const value = await read()
    this.#kept.set(name, { until: performance.now() + ms, tag, value })
    return value
  }
}
