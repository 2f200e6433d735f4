import { setImmediate as nextTurn } from 'node:timers/promises'

export interface ProposedEvent {
  id: string
  type: string
  contentType: string
  data: Uint8Array
  metadata: Uint8Array
}

export interface LoggedEvent extends ProposedEvent {
  stream: string
  revision: number
  /**
   * In bytes like the server's, so there are gaps. Outside a transaction, the commit and prepare positions are equal.
   */
  position: bigint
  created: Date
  /** It was removed by a scavenge. A read that begins at its position goes on to the next event. */
  isScavenged?: boolean
}

export type Expectation = 'any' | 'exists' | 'none' | number

export type Decision =
  | { kind: 'written' | 'retried'; revision: number; position: bigint }
  | { kind: 'wrong'; current: number }
  | { kind: 'deleted' }
  /** The server does not answer a retry that arrives before the first append is in its index. */
  | { kind: 'unanswered' }

const noStream = -1

/**
 * The log of EventStoreDB in memory. It recognises retries like the server's `IndexWriter.CheckCommit`. Readers see
 * events one turn of the event loop after they were written, when they are indexed.
 */
export class EventLog {
  readonly #events: LoggedEvent[] = []
  readonly #streams = new Map<string, LoggedEvent[]>()
  /** The last place of each id. */
  readonly #ids = new Map<string, { stream: string; revision: number }>()
  readonly #deleted = new Set<string>()
  readonly #sleepers = new Set<() => void>()
  #indexed = 0
  #isScavenged = false
  #end = 1_024n

  constructor() {
    this.#write('$settings', [systemEvent('$update')])
    this.#indexed = this.#events.length
  }

  /** The indexed events, visible to readers. */
  get events(): readonly LoggedEvent[] {
    return this.#events.length === this.#indexed ? this.#events : this.#events.slice(0, this.#indexed)
  }

  at(index: number): LoggedEvent | undefined {
    return index < this.#indexed ? this.#events[index] : undefined
  }

  /** Undefined if the stream does not exist. Without its truncated events, which are in the log until a scavenge. */
  stream(name: string): readonly LoggedEvent[] | undefined {
    const events = this.#streams.get(name)
    if (!events) return undefined
    const seen = events.findLastIndex((event) => this.#isIndexed(event)) + 1
    return seen > 0 ? events.slice(Math.min(this.#truncatedBefore(name), seen), seen) : undefined
  }

  /** The events that a read of the log gets. */
  get left(): readonly LoggedEvent[] {
    return this.#isScavenged ? this.events.filter(({ isScavenged }) => !isScavenged) : this.events
  }

  /** Removes the truncated events of all streams. The last event of a stream is kept, as its number counts the stream. */
  scavenge(): void {
    this.#isScavenged = true
    for (const [name, events] of this.#streams) {
      const before = this.#truncatedBefore(name)
      for (const event of events.slice(0, -1)) if (event.revision < before) event.isScavenged = true
    }
  }

  /** `$tb` in the last metadata of the stream, which are events of a stream of their own. */
  #truncatedBefore(name: string): number {
    const last = this.#streams.get(`$$${name}`)?.findLast((event) => this.#isIndexed(event))
    return last === undefined ? 0 : Number(JSON.parse(Buffer.from(last.data).toString()).$tb ?? 0)
  }

  async append(stream: string, proposed: readonly ProposedEvent[], expected: Expectation): Promise<Decision> {
    if (this.#deleted.has(stream)) return { kind: 'deleted' }
    const decision = this.#decide(stream, proposed, expected)
    if (decision !== 'write') return decision
    const last = this.#write(stream, proposed)
    if (this.#events.length % 20 === 0) this.#write('$stats-127.0.0.1:2113', [systemEvent('$statsCollected')])
    await this.#index()
    return { kind: 'written', revision: last.revision, position: last.position }
  }

  /** Deletes the stream for good. The server records that as an event of the stream, with its highest revision. */
  async tombstone(stream: string): Promise<LoggedEvent> {
    const event = this.#write(stream, [systemEvent('$streamDeleted')])
    event.revision = Number(2n ** 63n - 1n)
    this.#deleted.add(stream)
    await this.#index()
    return event
  }

  /** Replaces the log with a copy that was made after this many events. */
  restore(count: number): void {
    const kept = this.#events.splice(0).slice(0, count)
    this.#streams.clear()
    this.#ids.clear()
    this.#deleted.clear()
    for (const event of kept) {
      this.#events.push(event)
      this.#streams.set(event.stream, [...(this.#streams.get(event.stream) ?? []), event])
      this.#ids.set(event.id, event)
    }
    const last = kept.at(-1)
    this.#end = last ? last.position + sizeOf(last) : 1_024n
    this.#indexed = kept.length
  }

  isDeleted(stream: string): boolean {
    return this.#deleted.has(stream)
  }

  /** Resolves when there is an event at the index or the signal aborts. */
  async grown(index: number, signal: AbortSignal): Promise<void> {
    while (index >= this.#indexed && !signal.aborted) {
      const { promise, resolve } = Promise.withResolvers<void>()
      this.#sleepers.add(resolve)
      signal.addEventListener('abort', () => resolve(), { once: true })
      await promise
      this.#sleepers.delete(resolve)
    }
  }

  async #index(): Promise<void> {
    const length = this.#events.length
    await nextTurn()
    this.#indexed = Math.max(this.#indexed, length)
    for (const wake of [...this.#sleepers]) wake()
  }

  #decide(stream: string, proposed: readonly ProposedEvent[], expected: Expectation): Decision | 'write' {
    const events = this.#streams.get(stream) ?? []
    const current = events.length - 1
    const wrong: Decision = { kind: 'wrong', current }
    if (expected === 'exists' && current < 0) return wrong
    if (expected === 'any' || expected === 'exists') return this.#decideByIds(stream, proposed, current)
    const after = expected === 'none' ? noStream : expected
    if (after === current) return 'write'
    if (after > current) return wrong
    const isRetry = proposed.every(({ id }, index) => events[after + 1 + index]?.id === id)
    return isRetry ? this.#retried(events[after + proposed.length]) : wrong
  }

  /** Without an expected revision, a retry is recognised only by the ids that the server remembers. */
  #decideByIds(stream: string, proposed: readonly ProposedEvent[], current: number): Decision | 'write' {
    const known = proposed.map(({ id }) => this.#ids.get(id)).map((at) => (at?.stream === stream ? at : undefined))
    if (!known[0]) return 'write'
    const last = known.at(-1)
    if (!last || known.includes(undefined)) return { kind: 'wrong', current }
    return this.#retried(this.#streams.get(stream)?.[last.revision])
  }

  #retried(last: LoggedEvent | undefined): Decision {
    if (!last || !this.#isIndexed(last)) return { kind: 'unanswered' }
    return { kind: 'retried', revision: last.revision, position: last.position }
  }

  #isIndexed({ position }: LoggedEvent): boolean {
    const last = this.#events[this.#indexed - 1]
    return last !== undefined && position <= last.position
  }

  #write(stream: string, proposed: readonly ProposedEvent[]): LoggedEvent {
    const events = this.#streams.get(stream) ?? []
    this.#streams.set(stream, events)
    for (const event of proposed) {
      const logged = { ...event, stream, revision: events.length, position: this.#end, created: new Date() }
      this.#end += sizeOf(event)
      this.#ids.set(event.id, { stream, revision: logged.revision })
      events.push(logged)
      this.#events.push(logged)
    }
    const last = events.at(-1)
    if (!last) throw new RangeError('an append without events')
    return last
  }
}

function sizeOf({ data, metadata }: ProposedEvent): bigint {
  return BigInt(100 + data.length + metadata.length)
}

function systemEvent(type: string): ProposedEvent {
  const body = { contentType: 'application/json', data: Buffer.from('{}'), metadata: Buffer.alloc(0) }
  return { id: crypto.randomUUID(), type, ...body }
}
