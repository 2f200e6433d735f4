import type { Position, StoredEvent } from '../event-store.ts'
import { placeInLog } from '../place-in-log.ts'

/** Events that are younger are never removed: half of the least age, as the clocks of two machines differ. */
export const recentMs = 12 * 3_600_000

/** Knows which positions are so new that nothing after them was removed from the log. */
export class RecentPlaces {
  readonly #recentMs: number
  /** A place of the log, and when an event at it or before it was recorded. */
  #floor: { place: bigint; at: number } | undefined

  constructor(forMs: number) {
    this.#recentMs = forMs
  }

  /** To be called with events in the order in which they are read. */
  read({ position, recordedAt }: Pick<StoredEvent, 'position' | 'recordedAt'>): void {
    const at = recordedAt.getTime()
    if (this.#floor !== undefined && at - this.#floor.at < this.#recentMs / 2) return
    if (Date.now() - at >= this.#recentMs) return
    const place = placeInLog(position)
    if (place !== undefined) this.#floor = { place, at }
  }

  /** Whether every event after the position is younger than half a day. */
  has(position: Position | 'start'): boolean {
    if (position === 'start' || this.#floor === undefined) return false
    const place = placeInLog(position)
    return place !== undefined && place >= this.#floor.place && Date.now() - this.#floor.at < this.#recentMs
  }
}
