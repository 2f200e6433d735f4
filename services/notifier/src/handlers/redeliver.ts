import type { Envelope } from '@platen/shared/contracts/command.ts'
import type { DeliveryCommand, RedeliverAnswer, RedeliverDeliveries } from '@platen/shared/contracts/delivery.ts'
import type { EventStore } from '@platen/shared/event-store/event-store.ts'
import { handleCommand, refuseAfterDeadline } from '@platen/shared/event-store/handle-command.ts'
import { deliveryDecider } from '../domain/delivery.ts'
import type { DueView } from '../schedule/due-view.ts'

export interface RedeliverDependencies {
  store: EventStore
  view: Pick<DueView, 'history'>
  now: () => number
}

/** Bounds the time of one command, whose client is waiting. */
const maxDeliveries = 1_000
const maxMs = 2_500

/** Begins the schedule of one or several deliveries again. Throws DomainError DELIVERY_NOT_FOUND. */
export async function redeliver(
  dependencies: RedeliverDependencies,
  { type, data, metadata }: Envelope<DeliveryCommand>,
): Promise<RedeliverAnswer> {
  refuseAfterDeadline(metadata, dependencies.now())
  if (type === 'RedeliverDeliveries') return redeliverRange(dependencies, { type, data, metadata })
  await reschedule(dependencies, data.delivery_id, metadata)
  return { redelivered: 1 }
}

async function redeliverRange(
  dependencies: RedeliverDependencies,
  { data: { owner_id, since, until, status }, metadata }: Envelope<RedeliverDeliveries>,
): Promise<RedeliverAnswer> {
  const { view, now } = dependencies
  const endMs = now() + maxMs
  const range = { ownerId: owner_id, sinceMs: Date.parse(since), untilMs: Date.parse(until), status }
  const found = view.history({ ...range, limit: maxDeliveries + 1 })
  let redelivered = 0
  for (const { id, scheduledAtMs } of found) {
    if (redelivered >= maxDeliveries || now() > endMs) {
      return { redelivered, next_since: new Date(scheduledAtMs).toISOString() }
    }
    await reschedule(dependencies, id, metadata)
    redelivered += 1
  }
  return { redelivered }
}

async function reschedule({ store, now }: RedeliverDependencies, id: string, metadata: Envelope<unknown>['metadata']) {
  const data = { delivery_id: id, next_at: new Date(now()).toISOString() }
  await handleCommand({
    store,
    decider: deliveryDecider,
    stream: `delivery-${id}`,
    command: { type: 'Redeliver', data, metadata },
    once: true,
  })
}
