import { parseEvent } from '@platen/domain/catalogue/parse-event.ts'
import { streams } from '@platen/domain/streams/subjects.ts'
import { untilAborted } from '@platen/foundation/runtime/until-aborted.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import { asBusUnavailable, BusUnavailable } from '@platen/messaging/connection/bus-unavailable.ts'
import type { CloudEvent } from '@platen/messaging/envelopes/cloud-event.ts'
import { found } from '@platen/messaging/streams/streams.ts'

/**
 * The newest events on the stream EVENTS. While the event store does not answer, they show whether a view lacks a
 * change. Throws BusUnavailable.
 */
export interface PublishedEvents {
  /** The newest event of a category or of one of its aggregates; undefined if there is none in EVENTS. */
  newestOf(category: 'template' | 'partial' | 'generation', aggregateId?: string): Promise<CloudEvent | undefined>
}

const timeoutMs = 500

export function publishedEvents(bus: Bus): PublishedEvents {
  return {
    async newestOf(category, aggregateId) {
      if (!bus.connected) throw new BusUnavailable('NATS is not connected')
      const last_by_subj = `events.${category}.${aggregateId === undefined ? '>' : `*.${aggregateId}`}`
      const reading = found(bus.jsm.streams.getMessage(streams.events, { last_by_subj }))
      const timeout = AbortSignal.timeout(timeoutMs)
      const message = await untilAborted(reading, timeout).catch((cause) => {
        throw timeout.aborted ? new BusUnavailable('NATS does not answer', { cause }) : asBusUnavailable(cause)
      })
      return message && parseEvent(message.data)
    },
  }
}
