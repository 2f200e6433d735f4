import { type PlatenEvent, parseEvent } from '@platen/events'

/** A message of JetStream. Those of the packages `nats` and `@nats-io/jetstream` have this form. */
export interface EventMessage {
  data: Uint8Array
  ack(): void
  nak(): void
  term(): void
}

/** The result of `consumer.consume()` of NATS. */
export type EventMessages = AsyncIterable<EventMessage> & { close?: () => unknown }

/**
 * The events in the messages of a consumer of the stream `EVENTS`. An event is acknowledged when the loop asks for the
 * next one. If the loop ends during an event, by `break` or an error, that event is delivered again. A message that is
 * no event is dropped.
 */
export async function* events(messages: EventMessages): AsyncGenerator<PlatenEvent, void, undefined> {
  let unhandled: EventMessage | undefined
  try {
    for await (const message of messages) {
      const event = eventIn(message)
      if (event === undefined) {
        message.term()
        continue
      }
      unhandled = message
      yield event
      unhandled = undefined
      message.ack()
    }
  } finally {
    // First, so that this consumer does not get the event again. Its promise stays pending after the loop has ended.
    void messages.close?.()
    unhandled?.nak()
  }
}

function eventIn({ data }: EventMessage): PlatenEvent | undefined {
  try {
    return parseEvent(data)
  } catch {
    return undefined
  }
}
