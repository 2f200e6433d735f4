import {
  type Appended,
  type EventStore,
  type ExpectedRevision,
  InvalidPosition,
  type Item,
  type NewEvent,
  OutcomeUnknown,
  type Position,
  type ReadLogOptions,
  type ReadOptions,
  type StoredEvent,
  StoreUnavailable,
  type SubscribeOptions,
  WrongExpectedRevision,
} from '@platen/event-store/event-store.ts'
import { categoryOf } from '@platen/event-store/stream-name.ts'
import type { Fault, World } from './world.ts'

const epoch = 'model'

const notWritten: Fault = {
  name: 'the event store is unavailable',
  effect: 'none',
  error: () => new StoreUnavailable('unavailable'),
}
const answerLost: Fault = {
  name: 'the answer is lost',
  effect: 'before',
  error: () => new OutcomeUnknown('the answer is lost'),
}
const appendedLater: Fault = {
  name: 'the answer is late, and so is the append',
  effect: 'late',
  error: () => new OutcomeUnknown('the answer is late'),
}

interface MemoryStoreOptions {
  /** The log is not read: of events in two streams, the order makes no difference. */
  hasNoLog?: boolean
  /** Times of events are not read. */
  hasNoTimes?: boolean
}

/** An event store in memory: each call is one step of the process that makes it. */
export class MemoryStore implements EventStore {
  readonly log: StoredEvent[] = []
  readonly #world: World
  readonly #hasLog: boolean
  readonly #hasTimes: boolean
  readonly #waiting = new Set<() => void>()

  constructor(world: World, { hasNoLog = false, hasNoTimes = false }: MemoryStoreOptions = {}) {
    this.#world = world
    this.#hasLog = !hasNoLog
    this.#hasTimes = !hasNoTimes
  }

  async append(
    stream: string,
    events: readonly [NewEvent, ...NewEvent[]],
    expected: ExpectedRevision,
  ): Promise<Appended> {
    const label = `append ${events.map(({ type }) => type)} to ${stream}`
    return this.#world.step(label, () => this.#append(stream, events, expected), [
      notWritten,
      answerLost,
      appendedLater,
    ])
  }

  #append(stream: string, events: readonly NewEvent[], expected: ExpectedRevision): Appended {
    const before = this.#read(stream)
    const actual = before.at(-1)?.revision ?? 'none'
    if (expected !== 'any' && expected !== actual) {
      const from = expected === 'none' ? 0 : expected + 1
      const known = before.slice(from, from + events.length)
      const last = known.at(-1)
      if (last && known.length === events.length && known.every(({ id }, index) => id === events[index]?.id)) {
        return { revision: last.revision, position: last.position }
      }
      throw new WrongExpectedRevision(stream, expected, actual)
    }
    this.#world.changes(stream)
    if (this.#hasLog) this.#world.changes('log')
    let revision = before.length - 1
    for (const event of structuredClone(events)) {
      revision++
      const position = this.#positionOf(this.#hasLog ? this.log.length + 1 : revision)
      const { id, type, data, metadata = {} } = event
      this.log.push({
        stream,
        revision,
        position,
        id,
        type,
        data,
        metadata,
        recordedAt: new Date(this.#hasTimes ? this.#world.nowMs : 0),
      })
    }
    for (const wake of [...this.#waiting]) wake()
    return { revision, position: this.#positionOf(this.#hasLog ? this.log.length : revision) }
  }

  #positionOf(place: number): Position {
    return `${this.#hasLog ? epoch : 'nowhere'}:${place}` as Position
  }

  #read(stream: string): StoredEvent[] {
    this.#world.reads(stream)
    return this.of(stream)
  }

  #readLog(): readonly StoredEvent[] {
    if (!this.#hasLog) throw new Error('the log is read')
    this.#world.reads('log')
    return this.log
  }

  /** Reads a stream without a step, for invariants. */
  of(stream: string): StoredEvent[] {
    return this.log.filter((event) => event.stream === stream)
  }

  async *readStream(stream: string, options: ReadOptions = {}): AsyncIterable<StoredEvent> {
    const { from, backwards = false, limit = Number.POSITIVE_INFINITY, withoutData } = options
    const read = () => {
      const all = this.#read(stream)
      const ordered = backwards ? all.reverse() : all
      const first = typeof from === 'number' ? from : undefined
      return ordered
        .filter(({ revision }) => first === undefined || (backwards ? revision <= first : revision >= first))
        .slice(0, limit)
        .map((event) => (withoutData ? { ...event, data: null } : event))
    }
    yield* await this.#world.step(`read ${stream}`, read)
  }

  async *readLog({ after, categories }: ReadLogOptions): AsyncIterable<StoredEvent> {
    yield* await this.#world.step(`read the log of ${categories}`, () => this.#after(after, categories))
  }

  #after(after: Position | 'start' | 'end', categories: readonly string[] | undefined): StoredEvent[] {
    const log = this.#readLog()
    const place = after === 'end' ? log.length : placeOf(after)
    if (place > log.length) throw new InvalidPosition(`${after} is not in this log`)
    return log.slice(place).filter(({ stream }) => categories?.includes(categoryOf(stream)) ?? true)
  }

  identity(): Promise<string> {
    return this.#world.step('read the identity of the log', () => epoch)
  }

  async end(): Promise<Position | 'start'> {
    return this.#world.step('read the end of the log', () => this.#end())
  }

  async before(): Promise<'start'> {
    return 'start'
  }

  #end(): Position | 'start' {
    return this.#readLog().at(-1)?.position ?? 'start'
  }

  async check(): Promise<void> {}

  async *subscribe({ after, categories, signal }: SubscribeOptions): AsyncIterable<Item> {
    let place = after === 'end' ? this.#readLog().length : placeOf(after)
    if (place > this.log.length) throw new InvalidPosition(`${after} is not in this log`)
    let isCaughtUp = false
    while (!signal.aborted) {
      if (place < this.#readLog().length) {
        const events = await this.#world.step(`events after ${place}`, () => this.#readLog().slice(place))
        for (const event of events) {
          if (signal.aborted) return
          place++
          if (categories?.includes(categoryOf(event.stream)) ?? true) yield { kind: 'event', event }
          else yield { kind: 'checkpoint', position: event.position }
        }
        continue
      }
      if (!isCaughtUp) {
        isCaughtUp = true
        yield { kind: 'caughtUp' }
        continue
      }
      await this.#next(signal)
    }
  }

  #next(signal: AbortSignal): Promise<void> {
    const process = this.#world.current()
    return new Promise((resolve) => {
      const wake = () => {
        this.#world.wakes(process)
        this.#waiting.delete(wake)
        signal.removeEventListener('abort', wake)
        resolve()
      }
      this.#waiting.add(wake)
      signal.addEventListener('abort', wake)
    })
  }

  async close(): Promise<void> {}

  toJSON() {
    const recorded = ({ stream, type, id, data, metadata, recordedAt }: StoredEvent) => [
      ...[stream, type, id, data],
      ...[metadata.causation_id, recordedAt.getTime()],
    ]
    if (this.#hasLog) return this.log.map(recorded)
    return [...new Set(this.log.map(({ stream }) => stream))].sort().map((stream) => this.of(stream).map(recorded))
  }
}

function placeOf(position: Position | 'start'): number {
  if (position === 'start') return 0
  const [store, place] = position.split(':')
  if (store !== epoch) throw new InvalidPosition(`${position} is of another log`)
  return Number(place)
}
