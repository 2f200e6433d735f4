import { DependencyUnavailable } from '@platen/foundation/errors/errors.ts'
import type { Json } from '@platen/foundation/json/json.ts'

/**
 * A position in the whole log. Opaque, and valid only for the store that returned it: it contains the store's epoch, which
 * was made with the store, and the id of the event there. Both are checked when a reader resumes after it.
 */
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
  /** Position in its stream, from 0. */
  revision: number
  position: Position
  id: string
  type: string
  data: Json
  metadata: Record<string, Json>
  recordedAt: Date
}

/** `none`: the stream must not exist. A number: the revision of its last event. `any`: no check. */
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
  /** For callers that look for an event by its ids: `data` is null, as it is neither read nor checked. */
  withoutData?: boolean
  /** Events that are only in the archive are not read: the stream begins with the event that says so. */
  withoutArchive?: boolean
  signal?: AbortSignal
}

export interface ReadLogOptions {
  /** Exclusive. */
  after: Position | 'start'
  /** `['template']` selects the streams `template-…`. */
  categories: readonly string[]
  signal?: AbortSignal
}

export interface SubscribeOptions {
  /** Exclusive. */
  after: Position | 'start' | 'end'
  /** `['template']` selects the streams `template-…`. Default: all streams. */
  categories?: readonly string[]
  signal: AbortSignal
}

/**
 * `checkpoint`: every event of the subscription up to this position was yielded.
 * `caughtUp`: all of history was yielded. Comes once per connection.
 * `lost`: the connection is lost and is being made again. Comes for each attempt that fails, with its cause.
 */
export type Item =
  | { kind: 'event'; event: StoredEvent }
  | { kind: 'checkpoint'; position: Position }
  | { kind: 'caughtUp' }
  | { kind: 'lost'; cause: StoreUnavailable }

/**
 * The log of events, the source of truth. Streams are named `<category>-<id>` (`^[a-z][a-z0-9]*-[\w.:-]{1,200}$`).
 * Every adapter passes `event-store.suite.ts`.
 */
export interface EventStore {
  /**
   * Appends all events or none; they are durable when it resolves. A retry with the same ids and the same expected
   * revision returns the original revision and writes nothing; with `any` this is not guaranteed. Throws
   * WrongExpectedRevision, AppendTooLarge (over 1,000,000 bytes), InvalidName, StoreUnavailable, OutcomeUnknown.
   */
  append(
    stream: string,
    events: readonly [NewEvent, ...NewEvent[]],
    expected: ExpectedRevision,
    options?: AppendOptions,
  ): Promise<Appended>
  /** The events of a stream; none if it does not exist. Throws InvalidName, StoreUnavailable, ArchiveDamaged. */
  readStream(stream: string, options?: ReadOptions): AsyncIterable<StoredEvent>
  /** The events of the log that are recorded before the read reaches its end. Throws InvalidPosition, StoreUnavailable. */
  readLog(options: ReadLogOptions): AsyncIterable<StoredEvent>
  /** The id of this log, which is made with it and copied with it. Throws StoreUnavailable. */
  identity(): Promise<string>
  /** The position of the last event of any stream; `start` if there is none. Throws StoreUnavailable. */
  end(): Promise<Position | 'start'>
  /**
   * A position before every event that was recorded at this time or later, found without a read of the log, as if no clock was set
   * back; `start` if there is none, or if the store has no order by time. Throws StoreUnavailable.
   */
  before(time: Date): Promise<Position | 'start'>
  /**
   * Rejects with StoreUnavailable and the reason unless this process can read the whole log and append to it; with
   * StoreMisconfigured if only another setting or right can help.
   */
  check(options?: { timeoutMs?: number }): Promise<void>
  /** A catch-up subscription to the log. It reconnects by itself until `signal` aborts. Throws InvalidPosition. */
  subscribe(options: SubscribeOptions): AsyncIterable<Item>
  /** Ends every subscription and releases all resources. */
  close(): Promise<void>
}

export const maxAppendBytes = 1_000_000

export class WrongExpectedRevision extends Error {
  override readonly name = 'WrongExpectedRevision'
  readonly expected: ExpectedRevision
  /** The revision of the stream's last event; `none` if the stream does not exist. */
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

/** The position is of another event store, or this one was replaced by a copy with other or fewer events. */
export class InvalidPosition extends Error {
  override readonly name = 'InvalidPosition'
}

/** The append was not written. */
export class StoreUnavailable extends DependencyUnavailable {
  override readonly name: string = 'StoreUnavailable'
}

/** Another program keeps the store locked for writing. The store's own `check` says when that is over. */
export class StoreLocked extends StoreUnavailable {
  override readonly name = 'StoreLocked'
}

/** A setting or a right is wrong. The message says which one, and what to do. At start it ends the process. */
export class StoreMisconfigured extends StoreUnavailable {
  override readonly name = 'StoreMisconfigured'
}

/** A part of the archive that has the events is missing or damaged: no repetition helps until it is restored. */
export class ArchiveDamaged extends StoreUnavailable {
  override readonly name = 'ArchiveDamaged'
  override readonly mayRecover = false
}

/** The append may or may not be written. Retry it with the same ids and the same expected revision. */
export class OutcomeUnknown extends DependencyUnavailable {
  override readonly name = 'OutcomeUnknown'
}
