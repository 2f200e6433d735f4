import { randomUUID } from 'node:crypto'
import { type RedeliveryCommand, redeliveryDecider } from '@platen/domain/delivery/decide-redelivery.ts'
import type { DeliveryCommand, RedeliverAnswer, RedeliverDeliveries } from '@platen/domain/delivery/delivery.ts'
import { redeliver } from '@platen/domain/delivery/redeliver.ts'
import { type RedeliveryBegun, redeliveryStream } from '@platen/domain/delivery/redelivery-events.ts'
import type { EventStore } from '@platen/event-store/event-store.ts'
import { handleCommand } from '@platen/event-store/handle-command.ts'
import type { Envelope } from '@platen/foundation/command.ts'
import type { DueView } from '../schedule/due-view.ts'

export interface RedeliverDependencies {
  store: EventStore
  view: Pick<DueView, 'history'>
  now: () => number
}

/** Bounds the time of one command, whose client is waiting. */
const maxDeliveries = 200
const sentAtOnce = 8

/** Begins the schedule of one or several deliveries again. Throws DomainError DELIVERY_NOT_FOUND. */
export async function redeliverDeliveries(
  dependencies: RedeliverDependencies,
  { type, data, metadata }: Envelope<DeliveryCommand>,
): Promise<RedeliverAnswer> {
  const { store, now } = dependencies
  if (type === 'RedeliverDeliveries') return redeliverRange(dependencies, { type, data, metadata })
  await redeliver(store, data.delivery_id, { metadata, now })
  return { redelivered: 1 }
}

/**
 * Redelivers a range. When the command is delivered again, other deliveries may match, so that the choice is recorded
 * first, and the answer before it is sent. The whole choice is sent, or there is no answer: another process, or an append
 * whose outcome is unknown, may send what an answer of a part would leave out.
 */
async function redeliverRange(
  dependencies: RedeliverDependencies,
  { data, metadata }: Envelope<RedeliverDeliveries>,
): Promise<RedeliverAnswer> {
  const { store, now } = dependencies
  const stream = redeliveryStream(metadata.id)
  // Two notifiers that have the command may choose differently.
  const attempt = randomUUID()
  const execute = (command: RedeliveryCommand, options: { once?: true; now?: () => number } = {}) =>
    handleCommand({ store, decider: redeliveryDecider, stream, command: { ...command, metadata }, attempt, ...options })
  const { state } = await execute(
    { type: 'BeginRedelivery', data: choose(dependencies, data) },
    // A recorded result is answered even after the deadline.
    { once: true, now },
  )
  if (state.status === 'ended') return state.answer
  const { deliveries, answer } = state
  for (let at = 0; at < deliveries.length; at += sentAtOnce) {
    await Promise.all(deliveries.slice(at, at + sentAtOnce).map(({ id }) => redeliver(store, id, { metadata, now })))
  }
  const ended = await execute({ type: 'EndRedelivery', data: answer })
  return ended.state.answer
}

/** Oldest first. */
function choose(
  { view }: RedeliverDependencies,
  { owner_id, since, until, status }: RedeliverDeliveries['data'],
): RedeliveryBegun['data'] {
  const range = { ownerId: owner_id, sinceMs: Date.parse(since), untilMs: Date.parse(until), status }
  const found = view
    .history({ ...range, limit: maxDeliveries + 1 })
    .map(({ id, scheduledAtMs }) => ({ id, at: new Date(scheduledAtMs).toISOString() }))
  const next = found[maxDeliveries]
  return { owner_id, deliveries: found.slice(0, maxDeliveries), ...(next && { next_since: next.at }) }
}
