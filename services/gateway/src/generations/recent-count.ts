import { sleep } from '@platen/foundation/runtime/sleep.ts'

export interface CountAges {
  /** A new count is asked for when the last one is older. */
  askAfterMs: number
  /** A count that is older is not used while a new one can be had. */
  waitAfterMs: number
}

/** The longest wait for a count: in a cluster without a leader, nobody answers. */
const waitMs = 250

/** A count of somebody else, and what this process has added since. While it is not counted, the last count is used. */
export class RecentCount {
  readonly #ask: () => Promise<number | undefined>
  #counted: number | undefined
  /** What is being added, and may be counted or not. */
  #adding = 0
  #added = 0
  #askedAt = Number.NEGATIVE_INFINITY
  #asking: Promise<void> | undefined

  /** `ask` resolves to undefined if there is no answer. */
  constructor(ask: () => Promise<number | undefined>) {
    this.#ask = ask
  }

  get known(): number {
    return (this.#counted ?? 0) + this.#added + this.#adding
  }

  async value({ askAfterMs, waitAfterMs }: CountAges): Promise<number> {
    const ageMs = performance.now() - this.#askedAt
    if (ageMs > askAfterMs) this.#asking ??= this.#count().finally(() => (this.#asking = undefined))
    if (this.#counted === undefined) await this.#asking
    else if (ageMs > waitAfterMs) await Promise.race([this.#asking, sleep(waitMs)])
    return this.known
  }

  /** Counts one more, unless `adding` rejects. */
  async add(adding: Promise<unknown>): Promise<void> {
    this.#adding++
    const isAdded = await adding.then(
      () => true,
      () => false,
    )
    this.#adding--
    if (isAdded) this.#added++
  }

  async #count(): Promise<void> {
    const addedBefore = this.#added
    const counted = await this.#ask()
    this.#askedAt = performance.now()
    if (counted === undefined) return
    this.#counted = counted
    this.#added -= addedBefore
  }
}
