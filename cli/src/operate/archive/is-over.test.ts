import { batchEvents } from '@platen/domain/batch/batch-events.ts'
import { deliveryEvents } from '@platen/domain/delivery/delivery-events.ts'
import { generationEvents } from '@platen/domain/generation/generation-events.ts'
import type { Position, StoredEvent } from '@platen/event-store/event-store.ts'
import { newId } from '@platen/foundation/runtime/ids.ts'
import t from 'tap'
import { isOver } from './is-over.ts'

const dayMs = 24 * 3_600_000

interface Definition {
  type: string
  example: { data: unknown }
}

function eventsOf(stream: string, definitions: readonly (Definition & { more?: object })[]): StoredEvent[] {
  return definitions.map(({ type, example, more }, revision) => ({
    stream,
    revision,
    type,
    position: `sqlite:1:${revision}:x` as Position,
    id: 'x',
    metadata: {},
    data: { ...(example.data as object), ...more },
    recordedAt: new Date(),
  }))
}

function over(
  category: string,
  id: string,
  definitions: readonly (Definition & { more?: object })[],
  nowMs = Date.now(),
) {
  const stream = `${category}-${id}`
  return isOver(stream, eventsOf(stream, definitions), nowMs)
}

t.test('a generation is over when it has ended and keeps no input', async (t) => {
  const { GenerationRequested, GenerationStarted, GenerationCompleted, GenerationFailed, ContentErased } =
    generationEvents
  const id = newId('pdf')
  t.notOk(over('generation', id, [GenerationRequested]))
  t.notOk(over('generation', id, [GenerationRequested, GenerationStarted]))
  t.ok(over('generation', id, [GenerationRequested, GenerationStarted, GenerationCompleted]))
  t.ok(over('generation', id, [GenerationRequested, GenerationFailed]))
  t.notOk(over('generation', id, [GenerationCompleted]), 'its request is lost')
  const kept_input = { object_key: 'inputs/x', days: 7, bytes: 1, sha256: 'a'.repeat(64) }
  const keeps = { ...GenerationRequested, more: { kept_input } }
  const now = Date.now()
  t.notOk(over('generation', id, [keeps, GenerationCompleted], now + 6 * dayMs))
  t.ok(over('generation', id, [keeps, GenerationCompleted], now + 8 * dayMs))
  t.ok(over('generation', id, [keeps, GenerationCompleted, ContentErased], now))
})

t.test('a delivery and a batch are over when nothing is due', async (t) => {
  const { DeliveryScheduled, DeliveryAttempted, DeliverySucceeded, DeliveryRescheduled } = deliveryEvents
  t.notOk(over('delivery', newId('msg'), [DeliveryScheduled, DeliveryAttempted]))
  t.ok(over('delivery', newId('msg'), [DeliveryScheduled, DeliverySucceeded]))
  t.notOk(
    over('delivery', newId('msg'), [DeliveryScheduled, DeliverySucceeded, DeliveryRescheduled]),
    'it is sent again',
  )
  const { BatchCreated, BatchCancelRequested, BatchEnded } = batchEvents
  t.notOk(over('batch', newId('bat'), [BatchCreated, BatchCancelRequested]))
  t.ok(over('batch', newId('bat'), [BatchCreated, BatchEnded]))
})

t.test('other streams, and those with an event that cannot be read, are never over', async (t) => {
  const { GenerationRequested, GenerationCompleted } = generationEvents
  t.notOk(over('template', newId('tpl'), [GenerationRequested, GenerationCompleted]))
  const ofLaterVersion = { type: 'GenerationArchivedElsewhere', example: { data: {} } }
  t.notOk(over('generation', newId('pdf'), [GenerationRequested, GenerationCompleted, ofLaterVersion]))
})
