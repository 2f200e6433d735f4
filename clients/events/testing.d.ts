import type { PlatenEvent } from './index.js'
import type { EventName, EventOf, EventsConnection, HandlerContext } from './subscribe.js'

type Changes<Event> = Event extends { data: infer Data }
  ? Partial<Omit<Event, 'data'>> & { data?: Partial<Data> }
  : never

/** A whole event of this type, with an id of its own: the golden event of Platen's own tests, and your changes. */
export function goldenEvent<Name extends EventName>(name: Name, changes?: Changes<EventOf<Name>>): EventOf<Name>

/** Calls the handler of a subscriber with the event. */
export function deliver<Event>(
  handle: (event: Event, context: HandlerContext) => unknown,
  event: Event,
  context?: Partial<HandlerContext>,
): Promise<unknown>

/** Creates the streams EVENTS and REPLAY, as Platen does, on a nats-server for tests. */
export function createStreams(nats: EventsConnection): Promise<void>

export interface PublishOptions {
  /** Publishes it as a part of this replay. */
  replay?: string
  /** To EVENTS, as `platen replay --to-events`. Default: to REPLAY. */
  toEvents?: boolean
  /** The function `headers` of the NATS client. A replay needs it. */
  // biome-ignore lint/suspicious/noExplicitAny: the clients of NATS have types of their own
  headers?: () => any
}

/** Publishes the event to a nats-server for tests, as Platen does. */
export function publish(nats: EventsConnection, event: PlatenEvent, options?: PublishOptions): Promise<unknown>
