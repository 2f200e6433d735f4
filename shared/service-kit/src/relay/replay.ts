import { relays } from '@platen/domain/catalogue/events.ts'
import type { RelayName } from '@platen/domain/events/define-event.ts'
import type { EventStore, StoredEvent } from '@platen/event-store/event-store.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import { type Publisher, toMessage } from './cloud-event.ts'
import { openingEvents } from './opening-events.ts'
import { lastMessage, positionHeader, replayHeader, resumeHeader } from './resume-point.ts'

export interface Replay extends Pick<Publisher, 'deployment' | 'schemas'> {
  store: Pick<EventStore, 'readLog' | 'readStream'>
  bus: Bus
  /** Inclusive. */
  since: Date
  /** Exclusive. */
  until: Date
  signal: AbortSignal
}

/**
 * Publishes the events that were recorded in a period again, with the header `Platen-Replay`, and yields each. Subscribers get
 * them with the ids that they had before.
 */
export async function* replay({ store, bus, since, until, signal, ...publisher }: Replay): AsyncGenerator<StoredEvent> {
  const mark = new Date().toISOString()
  const openingOf = openingEvents(store)
  for (const service of Object.keys(relays) as RelayName[]) {
    const last = await lastMessage(bus, service)
    for await (const event of store.readLog({ after: 'start', categories: relays[service], signal })) {
      if (event.recordedAt < since || event.recordedAt >= until) continue
      const message = await toMessage({ ...publisher, openingOf }, event)
      if (message === undefined) continue
      const { subject, payload, headers } = message
      headers.set(replayHeader, mark)
      // The relay resumes as before: after what it had published last.
      for (const name of [positionHeader, resumeHeader]) {
        const value = last?.header.get(name)
        if (value) headers.set(name, value)
      }
      await bus.js.publish(subject, payload, { msgID: `${event.id}:${mark}`, headers })
      yield event
    }
  }
}
