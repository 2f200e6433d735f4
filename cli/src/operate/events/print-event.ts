import { publishedEventOf } from '@platen/domain/catalogue/events.ts'
import type { StoredEvent } from '@platen/event-store/event-store.ts'
import { aggregateIdOf } from '@platen/event-store/stream-name.ts'
import { stringifyExact } from '@platen/foundation/json/exact-json.ts'
import { recordedCloudEvent } from '@platen/service-kit/relay/cloud-event.ts'

export const formats = ['json', 'cloudevents', 'table'] as const
export type Format = (typeof formats)[number]

/** One line for an event of the log of this deployment. */
export const eventLine: Record<Format, (event: StoredEvent, deployment: string) => string> = {
  json: ({ stream, revision, position, id, type, recordedAt, data, metadata }) =>
    stringifyExact({ stream, revision, position, id, type, recorded_at: recordedAt, data, metadata }),
  cloudevents: (event, deployment) => {
    const cloudEvent = recordedCloudEvent(`${deployment}/${serviceOf(event)}`, event)
    return stringifyExact({ ...cloudEvent, position: event.position })
  },
  table: ({ stream, revision, position, id, type, recordedAt }) =>
    [
      recordedAt.toISOString(),
      type.padEnd(21),
      aggregateIdOf(stream).padEnd(30),
      String(revision).padStart(3),
      id,
      position,
    ].join('  '),
}

/** The service that publishes the event. The gateway records those that are not published. */
const serviceOf = ({ type }: StoredEvent): string => publishedEventOf(type)?.aggregate.relay ?? 'gateway'
