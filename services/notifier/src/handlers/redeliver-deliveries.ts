import { randomUUID } from 'node:crypto'
import { type RedeliveryCommand, redeliveryDecider } from '@platen/domain/delivery/decide-redelivery.ts'
import type { DeliveryCommand, RedeliverAnswer, RedeliverDeliveries } from '@platen/domain/delivery/delivery.ts'
import { redeliver } from '@platen/domain/delivery/redeliver.ts'
import { type RedeliveryBegun, redeliveryStream } from '@platen/domain/delivery/redelivery-events.ts'
import type { EventStore } from '@platen/event-store/event-store.ts'
import { handleCommand } from '@platen/event-store/handle-command.ts'
import type { CommandMetadata, Envelope } from '@platen/foundation/command.ts'
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
  await redeliver(store, data.delivery_id, { metadata, now })
  return { redelivered: 1 }
}

/**
 * Redelivers a range. When the command is delivered again, other deliveries may match, so that the choice is recorded
 * first, and the answer before it is sent.
 */
async function redeliverRange(
  dependencies: RedeliverDependencies,
  { data, metadata }: Envelope<RedeliverDeliveries>,
): Promise<RedeliverAnswer> {
  const { store, now } = dependencies
  const endMs = now() + maxMs
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
  const interrupted = await redeliverUntil(endMs, { store, deliveries, metadata, now })
  const ended = await execute({ type: 'EndRedelivery', data: interrupted ?? answer })
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

interface Chosen extends Pick<RedeliverDependencies, 'store' | 'now'> {
  deliveries: RedeliveryBegun['data']['deliveries']
  metadata: CommandMetadata
}

/** Resolves to an answer if the time ends before the last delivery. Those that an earlier try sent are skipped quickly. */
async function redeliverUntil(
  endMs: number,
  { store, deliveries, metadata, now }: Chosen,
): Promise<RedeliverAnswer | undefined> {
  const timeIsOver = new Error('the time of the command is over')
  const beforeAppend = async () => {
    if (now() > endMs) throw timeIsOver
  }
  for (const [redelivered, { id, at }] of deliveries.entries()) {
    try {
      await redeliver(store, id, { metadata, now, beforeAppend })
    } catch (err) {
      if (err === timeIsOver) return { redelivered, next_since: at }
      throw err
    }
  }
  return undefined
}
