import type { Decider } from '@platen/event-store/decider.ts'
import type { EventStore } from '@platen/event-store/event-store.ts'
import { handleCommand } from '@platen/event-store/handle-command.ts'
import type { CommandMetadata } from '@platen/foundation/command.ts'
import { readable } from '@platen/foundation/runtime/readable.ts'
import { DomainError } from '../http/errors.ts'
import { type DeliveryEvent, deliveryStream } from './delivery-events.ts'
import { absentDelivery, type DeliveryState, deliveryFoldId, evolveDelivery } from './delivery-state.ts'

/** Begins the schedule again, on request. */
export type Redeliver = { type: 'Redeliver'; data: { delivery_id: string; next_at: string } }

const redeliverDecider: Decider<DeliveryState, Redeliver, DeliveryEvent> = {
  initialState: absentDelivery,
  decide: decideRedelivery,
  evolve: evolveDelivery,
  foldId: deliveryFoldId,
}

export function decideRedelivery({ data }: Redeliver, state: DeliveryState): DeliveryEvent[] {
  if (state.status === 'absent') throw deliveryNotFound(data.delivery_id)
  // A pending attempt may be running. Its number is skipped, so that its outcome does not count in the new schedule.
  const attempt = (state.status === 'pending' ? state.attempt : state.attempts) + 1
  return [{ type: 'DeliveryRescheduled', data: { url: state.delivery.url, attempt, next_at: data.next_at } }]
}

export interface Redelivering {
  metadata: CommandMetadata
  now: () => number
}

/**
 * Makes a new attempt of a delivery due now. A redelivered command has no effect. Throws DELIVERY_NOT_FOUND, and
 * SERVICE_UNAVAILABLE after the deadline of the command.
 */
export async function redeliver(store: EventStore, id: string, { metadata, now }: Redelivering) {
  const data = { delivery_id: id, next_at: new Date(now()).toISOString() }
  await handleCommand({
    store,
    decider: redeliverDecider,
    stream: deliveryStream(id),
    command: { type: 'Redeliver', data, metadata },
    once: true,
    now,
  })
}

export function deliveryNotFound(id: string): DomainError {
  return new DomainError('DELIVERY_NOT_FOUND', `Delivery ${readable(id)} does not exist`)
}
