import { type EventStore, type StoredEvent, StoreUnavailable } from '@platen/event-store/event-store.ts'
import { untilAborted } from '@platen/foundation/runtime/until-aborted.ts'
import type { ViewDatabase } from '@platen/service-kit/projections/view-database.ts'

export interface CatchUpOptions {
  store: Pick<EventStore, 'readLog'>
  categories: readonly string[]
  view: Pick<ViewDatabase, 'checkpoint'>
  /** How long a caller waits. */
  timeoutMs: number
}

/** Lets readers of a view wait until it shows what is in the log. */
export class CatchUp {
  readonly #options: CatchUpOptions
  readonly #observers = new Set<(events: readonly StoredEvent[]) => void>()
  #running: Promise<void> = Promise.resolve()
  #next: Promise<void> | undefined

  constructor(options: CatchUpOptions) {
    this.#options = options
  }

  /** To be called after these events were applied to the view. */
  applied(events: readonly StoredEvent[]): void {
    for (const observe of this.#observers) observe(events)
  }

  /**
   * Resolves when the view shows every event that was recorded before the call: reads the events that it lacks from the
   * log and waits for them. Throws StoreUnavailable after the timeout.
   */
  async reached(): Promise<void> {
    // A check that has not begun serves every caller that waits for it.
    this.#next ??= this.#running.then(() => {
      this.#next = undefined
      const check = this.#check()
      this.#running = check.catch(() => {})
      return check
    })
    const timeout = AbortSignal.timeout(this.#options.timeoutMs)
    await untilAborted(this.#next, timeout).catch((cause) => {
      throw cause instanceof StoreUnavailable ? cause : new StoreUnavailable('The view is behind the log', { cause })
    })
  }

  async #check(): Promise<void> {
    const { store, categories, view, timeoutMs } = this.#options
    const signal = AbortSignal.timeout(timeoutMs)
    const applied = new Set<string>()
    let onApplied = () => {}
    const observe = (events: readonly StoredEvent[]) => {
      for (const { id } of events) applied.add(id)
      onApplied()
    }
    this.#observers.add(observe)
    try {
      let newest: StoredEvent | undefined
      const after = view.checkpoint() ?? 'start'
      for await (const event of store.readLog({ after, categories, signal })) newest = event
      if (newest === undefined) return
      const { id } = newest
      const { promise, resolve } = Promise.withResolvers<void>()
      onApplied = () => applied.has(id) && resolve()
      onApplied()
      await untilAborted(promise, signal)
    } finally {
      this.#observers.delete(observe)
    }
  }
}
