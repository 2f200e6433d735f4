import type { Unreadable } from '@platen/event-store/decider.ts'
import type { StoredEvent } from '@platen/event-store/event-store.ts'
import { domainEvent } from '@platen/event-store/handle-command.ts'
import { readNewest } from '@platen/event-store/history.ts'
import type { StreamReader } from '@platen/event-store/read-in-time.ts'
import { aggregateIdOf } from '@platen/event-store/stream-name.ts'
import { defined } from '@platen/foundation/json/defined.ts'
import { hashedId } from '@platen/foundation/runtime/ids.ts'
import type { Delivery, DeliveryAttempt } from './delivery.ts'
import { type DeliveryEvent, deliveryStream } from './delivery-events.ts'
import { absentDelivery, type DeliveryState, evolveDelivery } from './delivery-state.ts'

/**
 * The delivery of an event to a URL. `url` is normalized. `part` distinguishes several requests for one event, which may go to
 * the same URL.
 */
export function deliveryId(eventId: string, url: string, part?: string): string {
  return hashedId('msg', eventId, url, ...(part === undefined ? [] : [part]))
}

/** A delivery with its attempts, folded from its stream. */
export interface DeliveryRecord {
  id: string
  state: DeliveryState
  /** When it was scheduled, ISO 8601. */
  createdAt: string
  attempts: DeliveryAttempt[]
  /** Why it has ended without success. */
  reason?: string
}

export function evolveDeliveryRecord(record: DeliveryRecord | undefined, stored: StoredEvent): DeliveryRecord {
  const event = domainEvent<DeliveryEvent>(stored)
  const time = typeof stored.metadata.time === 'string' ? stored.metadata.time : stored.recordedAt.toISOString()
  return {
    id: aggregateIdOf(stored.stream),
    state: evolveDelivery(record?.state ?? absentDelivery, event),
    createdAt: record?.createdAt ?? time,
    attempts: [...(record?.attempts ?? []), ...attemptsIn(event, time)],
    ...(event.type === 'DeliveryExhausted' && { reason: event.data.reason }),
  }
}

/** `time` is when the attempt was recorded, which is its end. */
function attemptsIn(event: DeliveryEvent | Unreadable, time: string): DeliveryAttempt[] {
  switch (event.type) {
    case 'DeliveryAttempted':
    case 'DeliverySucceeded': {
      const { attempt, status, error, duration_ms, response } = { error: undefined, ...event.data }
      const at = new Date(Date.parse(time) - duration_ms).toISOString()
      return [{ attempt, at, ...defined({ status, error }), duration_ms, ...defined({ response }) }]
    }
    case 'DeliveryScheduled':
    case 'DeliveryRescheduled':
    case 'DeliveryExhausted':
    case '$unreadable':
      return []
  }
}

/** The newest attempts of a delivery that are shown. It may be sent again any number of times. */
const maxAttempts = 100
/** Each attempt has at most its own event and that of its redelivery, and some end a schedule. */
const maxEvents = 250

/** With its newest attempts. Undefined if there is no such delivery. */
export async function readDeliveryRecord(store: StreamReader, id: string): Promise<DeliveryRecord | undefined> {
  const stream = deliveryStream(id)
  const events = await readNewest(store, stream, maxEvents)
  const isCut = (events[0]?.revision ?? 0) > 0
  // The first event has what never changes. Those between do not matter: a redelivery begins anew.
  if (isCut) for await (const first of store.readStream(stream, { limit: 1 })) events.unshift(first)
  const record = events.reduce<DeliveryRecord | undefined>(evolveDeliveryRecord, undefined)
  return record && { ...record, attempts: record.attempts.slice(-maxAttempts) }
}

/** The delivery as the API returns it. Undefined for a stream that does not begin with the schedule. */
export function deliveryBody({ id, state, createdAt, attempts, reason }: DeliveryRecord): Delivery | undefined {
  if (state.status === 'absent') return undefined
  const { generation_id, batch_id, url, body } = state.delivery
  return {
    id,
    ...defined({ generation_id, batch_id }),
    type: typeOf(body),
    url,
    status: state.status,
    created_at: createdAt,
    ...(state.status === 'pending' && { next_attempt_at: state.nextAt }),
    ...(state.status === 'exhausted' && reason !== undefined && { reason }),
    attempts,
  }
}

/** What clients of Gotenberg are sent has no type. */
function typeOf(body: string): string {
  const { type } = JSON.parse(body) as { type?: unknown }
  return typeof type === 'string' ? type : 'unknown'
}
