import { EventStoreDBClient } from '@eventstore/db-client'
import { assertAppendable } from '../../appendable.ts'
import {
  type Appended,
  type AppendOptions,
  type EventStore,
  type ExpectedRevision,
  type Item,
  type NewEvent,
  type ReadLogOptions,
  type ReadOptions,
  type StoredEvent,
  StoreUnavailable,
  type SubscribeOptions,
} from '../../event-store.ts'
import { assertCategories, assertStreamName } from '../../stream-name.ts'
import { appendEvents } from './append.ts'
import { followLog } from './follow-log.ts'
import { readEvents, readLog } from './read.ts'
import type { Credentials, EventStoreDbConnection } from './url.ts'

const appendTimeoutMs = 5_000

export interface EventStoreDbOptions {
  /** How long to wait for an answer to a read or a subscription. */
  idleMs?: number
}

/** The log in EventStoreDB 23.10 or later, or in KurrentDB. */
export class EventStoreDbEventStore implements EventStore {
  readonly #client: EventStoreDBClient
  readonly #credentials: Credentials
  readonly #idleMs: number
  readonly #appending = new Set<Promise<unknown>>()
  readonly #ending = new AbortController()
  #closed: Promise<void> | undefined

  /** Connects on the first call. Throws the client's error if the URL cannot be used. */
  constructor({ connectionString, credentials }: EventStoreDbConnection, { idleMs = 5_000 }: EventStoreDbOptions = {}) {
    this.#client = EventStoreDBClient.connectionString(connectionString)
    this.#credentials = credentials
    this.#idleMs = idleMs
  }

  async append(
    stream: string,
    events: readonly [NewEvent, ...NewEvent[]],
    expected: ExpectedRevision,
    { timeoutMs = appendTimeoutMs }: AppendOptions = {},
  ): Promise<Appended> {
    this.#assertOpen()
    assertAppendable(stream, events, expected)
    const appending = appendEvents({ ...this.#connection, stream, events, expected, timeoutMs })
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
    yield* readEvents({ ...this.#connection, ...options, stream, signal })
  }

  async *readLog({ after, categories, signal }: ReadLogOptions): AsyncIterable<StoredEvent> {
    assertCategories(categories)
    this.#assertOpen()
    const ends = signal ? AbortSignal.any([signal, this.#ending.signal]) : this.#ending.signal
    yield* readLog({ ...this.#connection, after, categories, signal: ends })
  }

  async *subscribe({ after, categories, signal }: SubscribeOptions): AsyncIterable<Item> {
    this.#assertOpen()
    if (categories) assertCategories(categories)
    yield* followLog({
      ...this.#connection,
      after,
      categories,
      signal: AbortSignal.any([signal, this.#ending.signal]),
    })
  }

  /** Waits for pending appends, each limited by its timeout. */
  close(): Promise<void> {
    this.#ending.abort(new StoreUnavailable('The event store is closed'))
    this.#closed ??= Promise.allSettled(this.#appending).then(() => this.#client.dispose())
    return this.#closed
  }

  get #connection() {
    return { client: this.#client, credentials: this.#credentials, idleMs: this.#idleMs }
  }

  #assertOpen(): void {
    if (this.#closed) throw new StoreUnavailable('The event store is closed')
  }
}
