import { headers } from 'nats'
import { eventSubject } from '../contracts/subjects.ts'
import type { EventStore, StoredEvent } from '../event-store/event-store.ts'
import type { Bus } from '../messaging/connection/bus.ts'
import { toCloudEvent } from './cloud-event.ts'
import { type RelayName, relays } from './relays.ts'
import { lastMessage, positionHeader, replayHeader, resumeHeader } from './resume-point.ts'

export interface Replay {
  store: Pick<EventStore, 'readLog'>
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
export async function* replay({ store, bus, since, until, signal }: Replay): AsyncGenerator<StoredEvent> {
  const mark = new Date().toISOString()
  for (const service of Object.keys(relays) as RelayName[]) {
    const last = await lastMessage(bus, service)
    for await (const event of store.readLog({ after: 'start', categories: relays[service], signal })) {
      if (event.recordedAt < since || event.recordedAt >= until) continue
      const cloudEvent = toCloudEvent(service, event)
      const subject = eventSubject(event.type, cloudEvent.subject)
      if (subject === undefined) continue
      const header = headers()
      header.set(replayHeader, mark)
      // The relay resumes as before: after what it had published last.
      for (const name of [positionHeader, resumeHeader]) {
        const value = last?.header.get(name)
        if (value) header.set(name, value)
      }
      await bus.js.publish(subject, JSON.stringify(cloudEvent), { msgID: `${event.id}:${mark}`, headers: header })
      yield event
    }
  }
}
