import { mostOfOwner } from '@platen/foundation/runtime/share.ts'

const minItems = 16
const maxItems = 512
const measureMs = 1_000

/**
 * Decides how many items of an owner's batches are in the queue: as many as have ended in the last second. Renderers
 * then always have work, and requests behind the items wait for about a second. All batches of the owner share the
 * window, which is at most as large as the free part of the queue.
 */
export class Window {
  readonly #shares: () => number
  readonly #max: number
  #since = performance.now()
  #count = 0
  #perSecond = minItems

  /** `shares`: how many batches share it. */
  constructor(shares: () => number, maxQueued: number) {
    this.#shares = shares
    this.#max = Math.max(1, Math.min(maxItems, Math.floor(maxQueued / 4)))
  }

  ended(): void {
    this.#count += 1
  }

  /** The share of one batch, at least 1 while there is a free place. `free`: the places of the queue that are free. */
  size(free: number): number {
    const ms = performance.now() - this.#since
    if (ms >= measureMs) {
      this.#perSecond = (this.#count * 1_000) / ms
      this.#count = 0
      this.#since = performance.now()
    }
    // Somewhat more than that, or it would never grow.
    const wanted = Math.max(minItems, Math.ceil(1.25 * this.#perSecond))
    if (free <= 0) return 0
    const ofOwner = mostOfOwner({ atMost: Math.min(this.#max, wanted) }, free)
    return Math.max(1, Math.floor(ofOwner / Math.max(1, this.#shares())))
  }
}
