import type { StoredEvent } from '@platen/event-store/event-store.ts'
import { domainEvent } from '@platen/event-store/handle-command.ts'
import type { StreamReader } from '@platen/event-store/read-in-time.ts'
import { aggregateIdOf } from '@platen/event-store/stream-name.ts'
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
  const attempt = attemptOf(event, time)
  return {
    id: aggregateIdOf(stored.stream),
    state: evolveDelivery(record?.state ?? absentDelivery, event),
    createdAt: record?.createdAt ?? time,
    attempts: [...(record?.attempts ?? []), ...(attempt ? [attempt] : [])],
    ...(event.type === 'DeliveryExhausted' && { reason: event.data.reason }),
  }
}

/** `time` is when the attempt was recorded, which is its end. */
function attemptOf(event: DeliveryEvent, time: string): DeliveryAttempt | undefined {
  if (event.type !== 'DeliveryAttempted' && event.type !== 'DeliverySucceeded') return undefined
  const { attempt, status, error, duration_ms, response } = { error: undefined, ...event.data }
  return {
    attempt,
    at: new Date(Date.parse(time) - duration_ms).toISOString(),
    ...(status !== undefined && { status }),
    ...(error !== undefined && { error }),
    duration_ms,
    ...(response !== undefined && { response }),
  }
}

/** Undefined if there is no such delivery. */
export async function readDeliveryRecord(store: StreamReader, id: string): Promise<DeliveryRecord | undefined> {
  let record: DeliveryRecord | undefined
  for await (const event of store.readStream(deliveryStream(id))) record = evolveDeliveryRecord(record, event)
  return record
}

/** The delivery as the API returns it. Undefined for a stream that does not begin with the schedule. */
export function deliveryBody({ id, state, createdAt, attempts, reason }: DeliveryRecord): Delivery | undefined {
  if (state.status === 'absent') return undefined
  const { generation_id, batch_id, url, body } = state.delivery
  return {
    id,
    ...(generation_id !== undefined && { generation_id }),
    ...(batch_id !== undefined && { batch_id }),
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
