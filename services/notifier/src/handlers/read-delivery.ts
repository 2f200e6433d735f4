import { deliveryDecider } from '@platen/domain/delivery/decide-delivery.ts'
import { deliveryStream } from '@platen/domain/delivery/delivery-events.ts'
import type { DeliveryState } from '@platen/domain/delivery/delivery-state.ts'
import type { EventStore } from '@platen/event-store/event-store.ts'
import { loadEvents } from '@platen/event-store/handle-command.ts'
import { isTraceparent } from '@platen/foundation/tracing/tracing.ts'

export interface ReadDelivery {
  delivery: DeliveryState
  /** The id of the request that caused the delivery. */
  correlationId: string
  /** The span of what scheduled the delivery; of a later redelivery, if it was sent again many times. */
  traceparent: string | undefined
}

export async function readDelivery(store: EventStore, id: string): Promise<ReadDelivery> {
  const { newestFirst, state: delivery } = await loadEvents(store, deliveryDecider, deliveryStream(id))
  const correlationIds = newestFirst.map(({ metadata }) => metadata.correlation_id)
  return {
    delivery,
    correlationId: correlationIds.find((each) => typeof each === 'string') ?? id,
    traceparent: newestFirst.map(({ metadata }) => metadata.traceparent).findLast(isTraceparent),
  }
}
