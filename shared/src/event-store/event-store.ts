import type { Json } from '../contracts/json.ts'
import { DependencyUnavailable } from '../runtime/errors.ts'

/** A place in the whole log. Opaque: only "after this one" has meaning, and only for the store that gave it. */
export type Position = string & { readonly __brand: 'Position' }

export interface NewEvent {
  /** UUID. */
  id: string
  type: string
  data: Json
  metadata?: Record<string, Json>
}

export interface StoredEvent {
  stream: string
  /** Place in its stream, from 0. */
  revision: number
  position: Position
  id: string
  type: string
  data: Json
  metadata: Record<string, Json>
  recordedAt: Date
}

/** `none`: the stream must not exist. A number: the revision of its last event. */
export type ExpectedRevision = 'none' | 'any' | number

export interface Appended {
  /** Revision of the last event of the append. */
  revision: number
  /** Position of the last event of the append. */
  position: Position
}

export interface AppendOptions {
  timeoutMs?: number
}

export interface ReadOptions {
  /** Inclusive. Default: `start`, or `end` when reading backwards. */
  from?: number | 'start' | 'end'
  backwards?: boolean
  limit?: number
  signal?: AbortSignal
}

export interface SubscribeOptions {
  /** Exclusive. */
  after: Position | 'start' | 'end'
  /** `['template']` sees `template-…` only. Default: everything. */
  categories?: readonly string[]
  signal: AbortSignal
}

/** `checkpoint` says that nothing of interest lies before it; `caughtUp` comes once history is through, on each connection. */
export type Item =
  | { kind: 'event'; event: StoredEvent }
  | { kind: 'checkpoint'; position: Position }
  | { kind: 'caughtUp' }

/**
 * The port to the log that is the truth. Streams are named `<category>-<id>` (`^[a-z][a-z0-9]*-[\w.:-]{1,200}$`).
 * Every adapter passes `event-store.suite.ts`.
 */
export interface EventStore {
  /**
   * Appends all events or none, durable when it resolves. A retry of the same ids with the same numeric or `none`
   * expectation answers the original revision and writes nothing; with `any` that is not promised.
   * Throws WrongExpectedRevision, AppendTooLarge (over 1,000,000 bytes), InvalidName, StoreUnavailable, OutcomeUnknown.
   */
  append(
    stream: string,
    events: readonly [NewEvent, ...NewEvent[]],
    expected: ExpectedRevision,
    options?: AppendOptions,
  ): Promise<Appended>
  /** The events of one stream; of an unknown one: none. Throws InvalidName, StoreUnavailable. */
  readStream(stream: string, options?: ReadOptions): AsyncIterable<StoredEvent>
  /** A catch-up subscription over the whole log. It never ends before `signal` aborts, and reconnects by itself. Throws InvalidPosition. */
  subscribe(options: SubscribeOptions): AsyncIterable<Item>
  /** Ends every subscription and frees what it holds. */
  close(): Promise<void>
}

export const maxAppendBytes = 1_000_000

export class WrongExpectedRevision extends Error {
  override readonly name = 'WrongExpectedRevision'
  readonly expected: ExpectedRevision
  /** The revision of the stream's last event, `none` when there is no stream. */
  readonly actual: number | 'none'

  constructor(stream: string, expected: ExpectedRevision, actual: number | 'none') {
    super(`${stream} is at revision ${actual}, not ${expected}`)
    this.expected = expected
    this.actual = actual
  }
}

export class AppendTooLarge extends Error {
  override readonly name = 'AppendTooLarge'
}

export class InvalidName extends Error {
  override readonly name = 'InvalidName'
}

export class InvalidPosition extends Error {
  override readonly name = 'InvalidPosition'
}

/** Surely not written. */
export class StoreUnavailable extends DependencyUnavailable {
  override readonly name = 'StoreUnavailable'
}

/** Written or not: retry the same ids with the same expectation. */
export class OutcomeUnknown extends DependencyUnavailable {
  override readonly name = 'OutcomeUnknown'
}
