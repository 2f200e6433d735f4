/** Most faults happen beside others. Some must be alone: a process cannot start while its disk is full. */
export class Turns {
  readonly #others = new Set<Promise<unknown>>()
  #lastAlone: Promise<unknown> = Promise.resolve()

  async beside<Result>(act: () => Promise<Result>): Promise<Result> {
    let before: Promise<unknown> | undefined
    while (before !== this.#lastAlone) {
      before = this.#lastAlone
      await before
    }
    const acting = act()
    const ended = acting.catch(() => {}).finally(() => this.#others.delete(ended))
    this.#others.add(ended)
    return acting
  }

  async alone<Result>(act: () => Promise<Result>): Promise<Result> {
    const acting = Promise.all([this.#lastAlone, ...this.#others]).then(act)
    this.#lastAlone = acting.catch(() => {})
    return acting
  }
}
