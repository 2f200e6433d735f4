import { deliveryDecider } from '@platen/domain/delivery/decide-delivery.ts'
import { type DeliveryEvent, deliveryStream } from '@platen/domain/delivery/delivery-events.ts'
import type { DeliveryState } from '@platen/domain/delivery/delivery-state.ts'
import type { EventStore } from '@platen/event-store/event-store.ts'
import { placeOf } from '@platen/event-store/event-time.ts'
import { domainEvent } from '@platen/event-store/handle-command.ts'
import { isTraceparent } from '@platen/foundation/tracing/tracing.ts'

export interface ReadDelivery {
  delivery: DeliveryState
  /** The id of the request that caused the delivery. */
  correlationId: string
  /** The span of what scheduled the delivery. */
  traceparent: string | undefined
}

export async function readDelivery(store: EventStore, id: string): Promise<ReadDelivery> {
  let delivery = deliveryDecider.initialState
  let correlationId = id
  let traceparent: string | undefined
  for await (const event of store.readStream(deliveryStream(id))) {
    delivery = deliveryDecider.evolve(delivery, domainEvent<DeliveryEvent>(event), placeOf(event))
    if (typeof event.metadata.correlation_id === 'string') correlationId = event.metadata.correlation_id
    if (isTraceparent(event.metadata.traceparent)) traceparent ??= event.metadata.traceparent
  }
  return { delivery, correlationId, traceparent }
}
