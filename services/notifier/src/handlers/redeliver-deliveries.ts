import type { DeliveryCommand, RedeliverAnswer, RedeliverDeliveries } from '@platen/domain/delivery/delivery.ts'
import { redeliver } from '@platen/domain/delivery/redeliver.ts'
import type { EventStore } from '@platen/event-store/event-store.ts'
import type { Envelope } from '@platen/foundation/command.ts'
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
export async function redeliverDeliveries(
  dependencies: RedeliverDependencies,
  { type, data, metadata }: Envelope<DeliveryCommand>,
): Promise<RedeliverAnswer> {
  const { store, now } = dependencies
  if (type === 'RedeliverDeliveries') return redeliverRange(dependencies, { type, data, metadata })
  await redeliver(store, data.delivery_id, metadata, now)
  return { redelivered: 1 }
}

/** The answer counts what the command has redelivered, also when it was sent before. */
async function redeliverRange(
  { store, view, now }: RedeliverDependencies,
  { data: { owner_id, since, until, status }, metadata }: Envelope<RedeliverDeliveries>,
): Promise<RedeliverAnswer> {
  const endMs = now() + maxMs
  const range = { ownerId: owner_id, sinceMs: Date.parse(since), untilMs: Date.parse(until), status }
  const found = view.history({ ...range, commandId: metadata.id, limit: maxDeliveries + 1 })
  let redelivered = 0
  for (const { id, scheduledAtMs, isRedelivered } of found) {
    if (redelivered >= maxDeliveries || now() > endMs) {
      return { redelivered, next_since: new Date(scheduledAtMs).toISOString() }
    }
    if (!isRedelivered) await redeliver(store, id, metadata, now)
    redelivered += 1
  }
  return { redelivered }
}
