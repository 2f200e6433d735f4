/**
 * Where a consumer begins that has to be created again because it was deleted. It may be too early, as ids of events that were
 * handled are known, but never too late. It has a fixed size, and times where it can: sequences begin anew with a new stream.
 */
export class Place {
  /** When the stream stored the last event that was handled, or the first consumer was created. */
  #lastMs
  /** Events that were delivered before this process began, and may not be handled. */
  #before
  /** Events that are to be tried again: those of `#older` are settled before those of `#newer` are looked at. */
  #older
  #newer

  /** Nothing that was stored until now is wanted. */
  beginAt(ms) {
    this.#lastMs ??= ms
  }

  /** The consumer is there, and others have read from it. */
  resume({ ack_floor, delivered }, stream) {
    if (this.#lastMs !== undefined || this.#before !== undefined) return
    this.#before = {
      start: ack_floor.stream_seq + 1,
      until: Math.max(delivered.stream_seq, ack_floor.stream_seq),
      created: stream.created,
    }
  }

  handled({ ms }) {
    this.#lastMs = ms
  }

  failed({ ms, sequence }) {
    const { ms: first = ms, until = sequence } = this.#newer ?? {}
    this.#newer = { ms: Math.min(first, ms), until: Math.max(until, sequence) }
  }

  /** Whether `settle` may change something. */
  get isOpen() {
    return this.#older !== undefined || this.#newer !== undefined || (this.#before && this.#lastMs) !== undefined
  }

  /** All events up to this sequence are acknowledged, by this process or another one. */
  settle(floor) {
    if (this.#before && floor >= this.#before.until && this.#lastMs !== undefined) this.#before = undefined
    if (this.#older && floor < this.#older.until) return
    this.#older = this.#newer
    this.#newer = undefined
  }

  /** As a consumer's configuration has it. Undefined if nothing is known. */
  async startOf(readStream) {
    if (this.#before) {
      const { start, created } = this.#before
      const stream = await readStream()
      // Another stream has the same name since, such as after a restore. All of it is new.
      if (stream.created !== created || stream.state.last_seq < start - 1) return { deliver_policy: 'all' }
      return { deliver_policy: 'by_start_sequence', opt_start_seq: start }
    }
    const times = [this.#lastMs, this.#older?.ms, this.#newer?.ms].filter((ms) => ms !== undefined)
    return times.length === 0 ? undefined : fromTime(Math.min(...times))
  }
}

export const fromTime = (time) => ({
  deliver_policy: 'by_start_time',
  opt_start_time: new Date(time).toISOString(),
})
