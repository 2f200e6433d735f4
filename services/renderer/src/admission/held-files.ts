import { untilAborted } from '@platen/foundation/runtime/until-aborted.ts'

/** Most files have less than 100 KiB, and are stored in some milliseconds. */
const defaultLimitBytes = 64 * 2 ** 20

/**
 * The bytes of files that are made and not yet recorded. While the object store or the event store is unavailable, no document begins
 * when they reach the limit: the memory of a renderer is bounded by the limit and a file for each slot.
 */
export class HeldFiles {
  readonly #limitBytes: number
  #bytes = 0
  #room = Promise.withResolvers<void>()

  constructor(limitBytes = defaultLimitBytes) {
    this.#limitBytes = limitBytes
  }

  get bytes(): number {
    return this.#bytes
  }

  get isFull(): boolean {
    return this.#bytes >= this.#limitBytes
  }

  /** Counts a file until disposal. */
  hold(bytes: number): Disposable {
    let held = bytes
    this.#bytes += bytes
    return {
      [Symbol.dispose]: () => {
        this.#bytes -= held
        held = 0
        if (this.isFull) return
        this.#room.resolve()
        this.#room = Promise.withResolvers()
      },
    }
  }

  /** Resolves when a document may begin. Rejects with the reason of the signal. */
  async untilRoom(signal: AbortSignal): Promise<void> {
    while (this.isFull) await untilAborted(this.#room.promise, signal)
  }
}
