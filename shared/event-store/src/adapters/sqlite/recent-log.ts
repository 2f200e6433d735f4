import type { StoredEvent } from '../../event-store.ts'
import { categoryOf } from '../../stream-name.ts'
import { decodeEvent, type EventRow } from './codec.ts'
import type { LogPage } from './pages.ts'
import type { Append } from './stream-writer.ts'

/** Enough for all readers of a busy process, which read what they are woken for at once. */
const keptRows = 256
const keptChars = 1_000_000

interface Kept extends EventRow {
  category: string
  decoded?: StoredEvent
}

/**
 * The end of the log, as far as this process appended it without one of another process in between. All readers of the process
 * read the same events a moment after their commit: here they are neither read from the file nor parsed for each reader.
 */
export class RecentLog {
  readonly #token: string
  /** Recent events without gaps between their positions. */
  #kept: Kept[] = []
  #chars = 0

  constructor(token: string) {
    this.#token = token
  }

  /** To be called with each committed append, in the order of positions. `last` is the position of its last event. */
  committed(
    { stream, events }: Append,
    { revision, last, created }: { revision: number; last: number; created: number },
  ) {
    const before = last - events.length
    if (this.#kept.at(-1)?.position !== before) this.#clear()
    const category = categoryOf(stream)
    for (const [index, event] of events.entries()) {
      const place = { position: before + 1 + index, revision: revision - events.length + 1 + index }
      this.#kept.push({ ...event, ...place, stream, created, category })
      this.#chars += charsOf(event)
    }
    while (this.#kept.length > keptRows || this.#chars > keptChars) {
      const oldest = this.#kept.shift()
      if (oldest) this.#chars -= charsOf(oldest)
    }
  }

  /** The events after a position up to the known end of the log; undefined if they must be read from the file. */
  pageAfter(after: number, known: number, categories?: readonly string[]): LogPage | undefined {
    const first = this.#kept[0]
    const end = this.#kept.at(-1)
    if (!first || end?.position !== known || after < first.position - 1 || after >= known) return undefined
    const rows = this.#kept.slice(after + 1 - first.position)
    return {
      rows: categories ? rows.filter(({ category }) => categories.includes(category)) : rows,
      last: true,
      scannedTo: { rowId: end.position, id: end.id },
    }
  }

  /** The event of a row. Readers share one object for a kept row, and must not change it. */
  decode(row: EventRow | Kept): StoredEvent {
    if (!('category' in row)) return decodeEvent(row, this.#token)
    row.decoded ??= decodeEvent(row, this.#token)
    return row.decoded
  }

  #clear(): void {
    this.#kept = []
    this.#chars = 0
  }
}

const charsOf = ({ data, metadata }: Pick<EventRow, 'data' | 'metadata'>) => data.length + metadata.length
