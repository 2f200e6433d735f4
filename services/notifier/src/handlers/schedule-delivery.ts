import { deliveryDecider } from '@platen/domain/delivery/decide-delivery.ts'
import { type DeliveryScheduled, deliveryStream } from '@platen/domain/delivery/delivery-events.ts'
import { deliveryId } from '@platen/domain/delivery/delivery-record.ts'
import type { EventStore } from '@platen/event-store/event-store.ts'
import { handleCommand } from '@platen/event-store/handle-command.ts'
import { defined } from '@platen/foundation/json/defined.ts'
import { derivedUuid } from '@platen/foundation/runtime/ids.ts'
import type { CloudEvent } from '@platen/messaging/envelopes/cloud-event.ts'
import { nextAttemptAt } from '../webhook/schedule.ts'

export interface ScheduleDependencies {
  store: EventStore
  scheduleMs: readonly number[]
  now: () => number
  random: () => number
}

export interface Webhook extends Omit<DeliveryScheduled['data'], 'url' | 'event_id' | 'next_at'> {
  webhook_url: string
  /** Distinguishes it from other requests for the same event, which may go to the same URL. */
  part?: string
}

/** Schedules the webhook that reports the event. Once for each event, URL and part. */
export async function scheduleDelivery(
  { store, scheduleMs, now, random }: ScheduleDependencies,
  event: CloudEvent,
  { webhook_url, part, ...webhook }: Webhook,
): Promise<void> {
  const url = new URL(webhook_url).href
  const nowMs = now()
  const time = new Date(nowMs).toISOString()
  const id = deliveryId(event.id, url, part)
  const data = {
    ...webhook,
    url,
    event_id: event.id,
    next_at: nextAttemptAt({ scheduleMs, attempts: 0, nowMs, random: random() }) ?? time,
  }
  const metadata = {
    id: derivedUuid(id, 'schedule'),
    time,
    correlation_id: event.correlationid ?? event.id,
    ...defined({ traceparent: event.traceparent }),
  }
  await handleCommand({
    store,
    decider: deliveryDecider,
    stream: deliveryStream(id),
    command: { type: 'ScheduleDelivery', data, metadata },
  })
}
