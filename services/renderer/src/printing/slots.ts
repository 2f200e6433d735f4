import type { Priority } from '@platen/shared/contracts/subjects.ts'

export interface SlotsState {
  size: number
  /** Slots held by documents of the priority. */
  busy: Record<Priority, number>
  /** Slots that a document of the priority would get at once. */
  free: Record<Priority, number>
  waiting: Record<Priority, number>
}

/** Synchronous requests often follow each other: a slot is reserved for the next one for this time. */
const reservedMs = 500

/**
 * Limits the number of documents printed at once: `size` slots, and one more for interactive documents, so that these
 * never wait for a batch. Batch documents use all `size` slots, but one slot less while interactive documents arrive.
 */
export class Slots {
  readonly #size: number
  readonly #waiting: Record<Priority, Set<() => void>> = { interactive: new Set(), batch: new Set() }
  readonly #busy: Record<Priority, number> = { interactive: 0, batch: 0 }
  #reservation: NodeJS.Timeout | undefined

  constructor(size: number) {
    this.#size = size
  }

  /** Waits for a slot, which is free again when it is disposed of. Rejects with the signal's reason when it aborts. */
  acquire(priority: Priority, signal: AbortSignal): Promise<Disposable> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason)
      const waiting = this.#waiting[priority]
      const abort = () => {
        waiting.delete(admit)
        reject(signal.reason)
      }
      const admit = () => {
        signal.removeEventListener('abort', abort)
        resolve(this.#slot(priority))
      }
      signal.addEventListener('abort', abort, { once: true })
      if (priority === 'interactive') this.#reserve()
      waiting.add(admit)
      this.#admitWaiting()
    })
  }

  state(): SlotsState {
    const { interactive, batch } = this.#waiting
    return {
      size: this.#size,
      busy: { ...this.#busy },
      free: { interactive: this.#free('interactive'), batch: this.#free('batch') },
      waiting: { interactive: interactive.size, batch: batch.size },
    }
  }

  #free(priority: Priority): number {
    const { interactive, batch } = this.#busy
    const inUse = interactive + batch
    if (priority === 'interactive') return Math.max(0, this.#size + 1 - inUse)
    const forBatch = this.#reservation ? Math.max(1, this.#size - 1) : this.#size
    return Math.max(0, Math.min(this.#size - inUse, forBatch - batch))
  }

  #reserve(): void {
    if (this.#reservation) return void this.#reservation.refresh()
    this.#reservation = setTimeout(() => {
      this.#reservation = undefined
      this.#admitWaiting()
    }, reservedMs).unref()
  }

  #admitWaiting(): void {
    for (const priority of ['interactive', 'batch'] as const) {
      for (const admit of this.#waiting[priority]) {
        if (this.#free(priority) === 0) break
        this.#waiting[priority].delete(admit)
        this.#busy[priority] += 1
        admit()
      }
    }
  }

  #slot(priority: Priority): Disposable {
    let held = true
    return {
      [Symbol.dispose]: () => {
        if (held) this.#busy[priority] -= 1
        held = false
        if (priority === 'interactive') this.#reserve()
        this.#admitWaiting()
      },
    }
  }
}
