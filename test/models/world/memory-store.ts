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
  after: false,
  error: () => new StoreUnavailable('unavailable'),
}
const answerLost: Fault = {
  name: 'the answer is lost',
  after: true,
  error: () => new OutcomeUnknown('the answer is lost'),
}

/** An event store in memory: each call is one step of the process that makes it. */
export class MemoryStore implements EventStore {
  readonly log: StoredEvent[] = []
  readonly #world: World
  readonly #waiting = new Set<() => void>()

  constructor(world: World) {
    this.#world = world
  }

  async append(
    stream: string,
    events: readonly [NewEvent, ...NewEvent[]],
    expected: ExpectedRevision,
  ): Promise<Appended> {
    const label = `append ${events.map(({ type }) => type)} to ${stream}`
    return this.#world.step(label, () => this.#append(stream, events, expected), [notWritten, answerLost])
  }

  #append(stream: string, events: readonly NewEvent[], expected: ExpectedRevision): Appended {
    const before = this.of(stream)
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
    let revision = before.length - 1
    for (const event of structuredClone(events)) {
      revision++
      const position = `${epoch}:${this.log.length + 1}` as Position
      const { id, type, data, metadata = {} } = event
      this.log.push({ stream, revision, position, id, type, data, metadata, recordedAt: new Date(this.#world.nowMs) })
    }
    for (const wake of [...this.#waiting]) wake()
    return { revision, position: `${epoch}:${this.log.length}` as Position }
  }

  /** Without a step, for invariants. */
  of(stream: string): StoredEvent[] {
    return this.log.filter((event) => event.stream === stream)
  }

  async *readStream(stream: string, options: ReadOptions = {}): AsyncIterable<StoredEvent> {
    const { from, backwards = false, limit = Number.POSITIVE_INFINITY, withoutData } = options
    const read = () => {
      const all = this.of(stream)
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
    const place = after === 'end' ? this.log.length : placeOf(after)
    if (place > this.log.length) throw new InvalidPosition(`${after} is not in this log`)
    return this.log.slice(place).filter(({ stream }) => categories?.includes(categoryOf(stream)) ?? true)
  }

  identity(): Promise<string> {
    return this.#world.step('read the identity of the log', () => epoch)
  }

  async end(): Promise<Position | 'start'> {
    return this.#world.step('read the end of the log', () => this.#end())
  }

  #end(): Position | 'start' {
    return this.log.at(-1)?.position ?? 'start'
  }

  async check(): Promise<void> {}

  async *subscribe({ after, categories, signal }: SubscribeOptions): AsyncIterable<Item> {
    let place = after === 'end' ? this.log.length : placeOf(after)
    if (place > this.log.length) throw new InvalidPosition(`${after} is not in this log`)
    let isCaughtUp = false
    while (!signal.aborted) {
      if (place < this.log.length) {
        const events = await this.#world.step(`events after ${place}`, () => this.log.slice(place))
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
    return new Promise((resolve) => {
      const wake = () => {
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
    return this.log.map(({ stream, type, id, data, metadata, recordedAt }) => [
      ...[stream, type, id, data],
      ...[metadata.causation_id, recordedAt.getTime()],
    ])
  }
}

function placeOf(position: Position | 'start'): number {
  if (position === 'start') return 0
  const [store, place] = position.split(':')
  if (store !== epoch) throw new InvalidPosition(`${position} is of another log`)
  return Number(place)
}
