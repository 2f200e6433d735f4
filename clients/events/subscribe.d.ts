import type { PlatenEvent, subjects } from './index.js'

export type EventName = keyof typeof subjects

/** What is used of a connection of the package `nats`. For `@nats-io/jetstream`: `{ jetstream: () => jetstream(nc), … }`. */
export interface EventsConnection {
  // biome-ignore lint/suspicious/noExplicitAny: the clients of NATS have types of their own
  jetstream(): any
  // biome-ignore lint/suspicious/noExplicitAny: as above
  jetstreamManager(): Promise<any>
  isClosed?(): boolean
}

/** The ids of events that were handled, such as a table. */
export interface HandledIds {
  has(id: string): boolean | Promise<boolean>
  add(id: string): unknown
}

export interface HandlerContext {
  /** The id of the replay, if the event was published again. */
  replay: string | undefined
  /** From 1. */
  attempt: number
}

/** The events with these names; all if there are none. An event of a later version may have another type. */
export type EventOf<Name extends EventName> = [Name] extends [never]
  ? PlatenEvent
  : Extract<PlatenEvent, { type: `com.platen.${Name}` }>

export interface SubscribeOptions<Name extends EventName = EventName> {
  /** Its `inboxPrefix` is `_INBOX_subscriber`. */
  nats: EventsConnection
  /** The server keeps the place of the subscriber under this name. Processes with the same name share the events. */
  durable: string
  /** Default: all. Several need nats-server 2.10. */
  events?: readonly Name[]
  /**
   * It may take as long as it needs, unless it blocks the process. An event that it throws for comes again: after 1 s, 2 s, 4 s and so
   * on, up to five minutes.
   */
  handle(event: EventOf<Name>, context: HandlerContext): unknown
  /** When it aborts, the event that is being handled is finished, and the promise resolves. */
  signal: AbortSignal
  /** Where a consumer begins that does not exist. Default: `new`. */
  from?: 'new' | 'oldest' | Date
  /** Reads this replay in the stream `REPLAY`, all of it, and not `EVENTS`. */
  replay?: string
  /** Events that are published to `EVENTS` again. Default: `skip`. `handle` needs ids that outlive the process. */
  replays?: 'skip' | 'handle'
  /** Default: the last 100,000, in the memory of this process. */
  handled?: HandledIds
  /** After these an event is given up. Default: never. */
  maxAttempts?: number
  /** The consumer exists: what happens from now on will be handled. Called again after a failure of the connection. */
  onReady?(): void
  /** Errors of the handler, with its event, and of the connection. All are tried again. Default: `console.error`. */
  onError?(err: unknown, event?: PlatenEvent): void
}

/** The durable consumer has other events than those that are asked for. */
export class OtherFilters extends Error {}

/**
 * Handles events one after the other, each id once, until the signal aborts. Goes on where it was after a restart. Rejects with
 * `OtherFilters`, with a TypeError for a name that is no event, or when the connection is closed.
 */
export function subscribe<Name extends EventName = EventName>(options: SubscribeOptions<Name>): Promise<void>
