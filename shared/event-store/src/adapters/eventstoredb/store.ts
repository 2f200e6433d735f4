import { sleep } from '@platen/foundation/runtime/sleep.ts'
import { untilAborted } from '@platen/foundation/runtime/until-aborted.ts'
import { assertAppendable } from '../../appendable.ts'
import {
  type Appended,
  type AppendOptions,
  type EventStore,
  type ExpectedRevision,
  type Item,
  type NewEvent,
  type Position,
  type ReadLogOptions,
  type ReadOptions,
  type StoredEvent,
  StoreUnavailable,
  type SubscribeOptions,
} from '../../event-store.ts'
import { assertCategories, assertStreamName } from '../../stream-name.ts'
import { type Append, appendEvents } from './append.ts'
import { decodePosition, encodePlace } from './codec.ts'
import { Explanations } from './explain.ts'
import { followLog } from './follow-log.ts'
import { LeaderClient } from './leader-client.ts'
import { LogIdentity } from './log-identity.ts'
import { endOfLog, readEvents, readLog } from './read.ts'
import type { Credentials, EventStoreDbConnection } from './url.ts'

const appendTimeoutMs = 5_000
/** Time limits of a check, and of explaining its failure. Together they are shorter than the limit of `/readyz`. */
const checkTimeoutMs = 1_400
const explainTimeoutMs = 500
/** To cancel the streams that are open. The client waits for ever for a stream that ended before it was cancelled. */
const disposeTimeoutMs = 1_000

export interface EventStoreDbOptions {
  /** How long to wait for an answer to a read or a subscription. */
  idleMs?: number
}

/** The log in EventStoreDB 23.10 or later, or in KurrentDB. */
export class EventStoreDbEventStore implements EventStore {
  readonly #leader: LeaderClient
  readonly #credentials: Credentials
  readonly #explanations: Explanations
  readonly #idleMs: number
  readonly #identity: LogIdentity
  readonly #appending = new Set<Promise<unknown>>()
  readonly #ending = new AbortController()
  #closed: Promise<void> | undefined

  /** Connects on the first call. Throws the client's error if the URL cannot be used. */
  constructor(connection: EventStoreDbConnection, { idleMs = 5_000 }: EventStoreDbOptions = {}) {
    const { credentials } = connection
    this.#leader = new LeaderClient(connection)
    this.#explanations = new Explanations(connection)
    this.#credentials = credentials
    this.#idleMs = idleMs
    this.#identity = new LogIdentity({ leader: this.#leader, credentials, idleMs })
  }

  async append(
    stream: string,
    events: readonly [NewEvent, ...NewEvent[]],
    expected: ExpectedRevision,
    { timeoutMs = appendTimeoutMs }: AppendOptions = {},
  ): Promise<Appended> {
    this.#assertOpen()
    assertAppendable(stream, events, expected)
    const appending = this.#append({ stream, events, expected, timeoutMs })
    this.#appending.add(appending)
    try {
      return await appending
    } finally {
      this.#appending.delete(appending)
    }
  }

  async *readStream(stream: string, options: ReadOptions = {}): AsyncIterable<StoredEvent> {
    assertStreamName(stream)
    this.#assertOpen()
    const signal = options.signal ? AbortSignal.any([options.signal, this.#ending.signal]) : this.#ending.signal
    const epoch = await untilAborted(this.#identity.epoch(), signal)
    yield* readEvents({ ...this.#connection, ...options, epoch, stream, signal })
  }

  async *readLog({ after, categories, signal }: ReadLogOptions): AsyncIterable<StoredEvent> {
    assertCategories(categories)
    this.#assertOpen()
    const ends = signal ? AbortSignal.any([signal, this.#ending.signal]) : this.#ending.signal
    const epoch = await untilAborted(this.#identity.epoch(), ends)
    const from = after === 'start' ? 'start' : await this.#identity.resumeAfter(decodePosition(after, epoch), ends)
    yield* readLog({ ...this.#connection, epoch, after: from, categories, signal: ends })
  }

  async identity(): Promise<string> {
    this.#assertOpen()
    return untilAborted(this.#identity.epoch(), this.#ending.signal)
  }

  async end(): Promise<Position | 'start'> {
    this.#assertOpen()
    const { signal } = this.#ending
    const epoch = await untilAborted(this.#identity.epoch(), signal)
    const position = await endOfLog({ ...this.#connection, signal })
    return position === 'start' ? position : encodePlace({ epoch, position })
  }

  /** Its log has no index by time, and a read cannot begin between two events. */
  async before(): Promise<'start'> {
    this.#assertOpen()
    return 'start'
  }

  async check({ timeoutMs = checkTimeoutMs } = {}): Promise<void> {
    this.#assertOpen()
    const signal = AbortSignal.any([this.#ending.signal, AbortSignal.timeout(timeoutMs)])
    const noAnswer = (err: unknown) => (signal.aborted ? new StoreUnavailable('The event store does not answer') : err)
    try {
      const epoch = await untilAborted(this.#identity.epoch(), signal)
      await Promise.all([endOfLog({ ...this.#connection, signal }), this.#identity.checkWrites(epoch, timeoutMs)])
    } catch (err) {
      throw await this.#explanations.explain(noAnswer(err), Math.max(explainTimeoutMs, Math.round(timeoutMs / 3)))
    }
  }

  async *subscribe({ after, categories, signal }: SubscribeOptions): AsyncIterable<Item> {
    this.#assertOpen()
    if (categories) assertCategories(categories)
    yield* followLog({
      ...this.#connection,
      identity: this.#identity,
      explain: (err) => this.#explanations.explain(err, explainTimeoutMs),
      after,
      categories,
      signal: AbortSignal.any([signal, this.#ending.signal]),
    })
  }

  /** Waits for pending appends, each limited by its timeout. */
  close(): Promise<void> {
    this.#ending.abort(new StoreUnavailable('The event store is closed'))
    this.#closed ??= Promise.allSettled(this.#appending).then(() =>
      Promise.race([this.#leader.close(), sleep(disposeTimeoutMs)]),
    )
    return this.#closed
  }

  async #append({
    timeoutMs,
    ...append
  }: Pick<Append, 'stream' | 'events' | 'expected' | 'timeoutMs'>): Promise<Appended> {
    const startedAt = performance.now()
    const timeout = AbortSignal.timeout(timeoutMs)
    const epoch = await untilAborted(this.#identity.epoch(), timeout).catch((cause) => {
      throw timeout.aborted ? new StoreUnavailable('The event store does not answer', { cause }) : cause
    })
    const remainingMs = Math.max(1, timeoutMs - (performance.now() - startedAt))
    return appendEvents({ ...this.#connection, ...append, epoch, timeoutMs: Math.round(remainingMs) })
  }

  get #connection() {
    return { leader: this.#leader, credentials: this.#credentials, idleMs: this.#idleMs }
  }

  #assertOpen(): void {
    if (this.#closed) throw new StoreUnavailable('The event store is closed')
  }
}
