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
   * In bytes, as the server counts: there are gaps. An event that is not part of a transaction has one for both of its
   * positions.
   */
  position: bigint
  created: Date
}

export type Expectation = 'any' | 'exists' | 'none' | number

export type Decision =
  | { kind: 'written' | 'repeated'; revision: number; position: bigint }
  | { kind: 'wrong'; current: number }
  /** The server does not answer a repeat that comes before the first one is in its index. */
  | { kind: 'unanswered' }

const noStream = -1

/**
 * The log of EventStoreDB in memory, with its way of telling repeats: the server's `IndexWriter.CheckCommit`.
 * Events are written at once and seen by readers a turn later, as they are indexed.
 */
export class EventLog {
  readonly #events: LoggedEvent[] = []
  readonly #streams = new Map<string, LoggedEvent[]>()
  /** Where an id was last written to. */
  readonly #ids = new Map<string, { stream: string; revision: number }>()
  readonly #sleepers = new Set<() => void>()
  #indexed = 0
  #end = 1_024n

  constructor() {
    this.#write('$settings', [systemEvent('$update')])
    this.#indexed = this.#events.length
  }

  /** What readers see. */
  get events(): readonly LoggedEvent[] {
    return this.#events.length === this.#indexed ? this.#events : this.#events.slice(0, this.#indexed)
  }

  at(index: number): LoggedEvent | undefined {
    return index < this.#indexed ? this.#events[index] : undefined
  }

  /** Undefined: no such stream. */
  stream(name: string): readonly LoggedEvent[] | undefined {
    const events = this.#streams.get(name)
    const seen = events?.filter((event) => this.#isIndexed(event))
    return seen?.length ? seen : undefined
  }

  async append(stream: string, proposed: readonly ProposedEvent[], expected: Expectation): Promise<Decision> {
    const decision = this.#decide(stream, proposed, expected)
    if (decision !== 'write') return decision
    const last = this.#write(stream, proposed)
    if (this.#events.length % 20 === 0) this.#write('$stats-127.0.0.1:2113', [systemEvent('$statsCollected')])
    const length = this.#events.length
    await nextTurn()
    this.#indexed = Math.max(this.#indexed, length)
    for (const wake of [...this.#sleepers]) wake()
    return { kind: 'written', revision: last.revision, position: last.position }
  }

  /** Resolves when there is an event at the index, or the signal aborts. */
  async grown(index: number, signal: AbortSignal): Promise<void> {
    while (index >= this.#indexed && !signal.aborted) {
      const { promise, resolve } = Promise.withResolvers<void>()
      this.#sleepers.add(resolve)
      signal.addEventListener('abort', () => resolve(), { once: true })
      await promise
      this.#sleepers.delete(resolve)
    }
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
    const isRepeat = proposed.every(({ id }, index) => events[after + 1 + index]?.id === id)
    return isRepeat ? this.#repeated(events[after + proposed.length]) : wrong
  }

  /** Without a place to compare, only what the server still remembers of the ids tells a repeat. */
  #decideByIds(stream: string, proposed: readonly ProposedEvent[], current: number): Decision | 'write' {
    const known = proposed.map(({ id }) => this.#ids.get(id)).map((at) => (at?.stream === stream ? at : undefined))
    if (!known[0]) return 'write'
    const last = known.at(-1)
    if (!last || known.includes(undefined)) return { kind: 'wrong', current }
    return this.#repeated(this.#streams.get(stream)?.[last.revision])
  }

  #repeated(last: LoggedEvent | undefined): Decision {
    if (!last || !this.#isIndexed(last)) return { kind: 'unanswered' }
    return { kind: 'repeated', revision: last.revision, position: last.position }
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
      this.#end += BigInt(100 + event.data.length + event.metadata.length)
      this.#ids.set(event.id, { stream, revision: logged.revision })
      events.push(logged)
      this.#events.push(logged)
    }
    const last = events.at(-1)
    if (!last) throw new RangeError('an append without events')
    return last
  }
}

function systemEvent(type: string): ProposedEvent {
  const body = { contentType: 'application/json', data: Buffer.from('{}'), metadata: Buffer.alloc(0) }
  return { id: crypto.randomUUID(), type, ...body }
}
