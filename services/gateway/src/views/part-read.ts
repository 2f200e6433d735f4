import type { EventStore, Position } from '@platen/event-store/event-store.ts'
import { placeInLog } from '@platen/event-store/place-in-log.ts'

/** Positions of the first and the last event that a reader of the log has applied. */
export interface Read {
  firstPosition: Position | undefined
  lastPosition: Position | undefined
}

/** How much of what the log has had at a start was read. */
export class PartRead {
  readonly #store: Pick<EventStore, 'end'>
  #end: Promise<void> | undefined
  #endOffset = 0

  constructor(store: Pick<EventStore, 'end'>) {
    this.#store = store
  }

  /** In whole per cent, at most 99. Undefined if it is not known: the store is asked at the first call. */
  percent({ firstPosition, lastPosition }: Read): number | undefined {
    this.#end ??= this.#readEnd()
    if (firstPosition === undefined || lastPosition === undefined) return undefined
    const from = offsetOf(firstPosition)
    const total = this.#endOffset - from
    if (total <= 0) return undefined
    return Math.max(0, Math.min(99, Math.floor((100 * (offsetOf(lastPosition) - from)) / total)))
  }

  async #readEnd(): Promise<void> {
    try {
      this.#endOffset = offsetOf(await this.#store.end())
    } catch {
      // Whoever reads the log reports it.
    }
  }
}

const offsetOf = (position: Position | 'start') => Number(position === 'start' ? 0 : (placeInLog(position) ?? 0))
