import { defined } from '@platen/foundation/json/defined.ts'
import { given } from '@platen/test-support/given.ts'
import t, { type Test } from 'tap'
import { type DeliveryCommand, deliveryDecider, type RecordAttempt } from './decide-delivery.ts'
import type { DeliveryEvent } from './delivery-events.ts'

const now = '2026-01-31T12:00:00.000Z'
const later = '2026-01-31T12:00:05.000Z'
const data = {
  generation_id: 'pdf_1',
  owner_id: 'own_default',
  api_key_id: 'key_1',
  url: 'https://example.com/hook',
  event_id: 'event-1',
  body: '{}',
  next_at: now,
}
const schedule: DeliveryCommand = { type: 'ScheduleDelivery', data }
const scheduled: DeliveryEvent = { type: 'DeliveryScheduled', data }
const record = (outcome: RecordAttempt['data']['outcome'], next_at?: string, attempt = 1): DeliveryCommand => ({
  type: 'RecordAttempt',
  data: { attempt, outcome, duration_ms: 7, ...defined({ next_at }) },
})
const attempted = (outcome: { status?: number; error?: string }, next_at?: string, attempt = 1): DeliveryEvent => ({
  type: 'DeliveryAttempted',
  data: { attempt, ...outcome, duration_ms: 7, ...defined({ next_at }) },
})
const succeeded = (attempt: number): DeliveryEvent => ({
  type: 'DeliverySucceeded',
  data: { attempt, status: 204, duration_ms: 7 },
})
const exhausted = (attempts: number, reason: string): DeliveryEvent => ({
  type: 'DeliveryExhausted',
  data: { attempts, reason },
})

const delivery = (t: Test, ...events: DeliveryEvent[]) => given(t, deliveryDecider, events)

t.test('an event is scheduled for a URL once', async (t) => {
  delivery(t).when(schedule).then([scheduled])
  delivery(t, scheduled).when(schedule).then([])
  delivery(t, scheduled, succeeded(1)).when(schedule).then([])
})

t.test('a status 2xx is a success', async (t) => {
  delivery(t, scheduled)
    .when(record({ status: 204 }, later))
    .then([succeeded(1)])
})

t.test('any other outcome is tried again at the time in the command', async (t) => {
  for (const outcome of [{ status: 500 }, { status: 301 }, { status: 199 }, { error: 'no response in time' }]) {
    delivery(t, scheduled)
      .when(record(outcome, later))
      .then([attempted(outcome, later)])
  }
})

t.test('a later attempt may succeed', async (t) => {
  delivery(t, scheduled, attempted({ status: 500 }, later))
    .when(record({ status: 204 }, later, 2))
    .then([succeeded(2)])
})

t.test('the last failure ends the delivery', async (t) => {
  delivery(t, scheduled, attempted({ status: 500 }, later))
    .when(record({ status: 503 }, undefined, 2))
    .then([attempted({ status: 503 }, undefined, 2), exhausted(2, 'the last attempt failed')])
})

t.test('a status 410 ends the delivery', async (t) => {
  delivery(t, scheduled)
    .when(record({ status: 410 }, later))
    .then([attempted({ status: 410 }), exhausted(1, 'the receiver answered 410 Gone')])
})

t.test('the outcome of an attempt is recorded once', async (t) => {
  delivery(t, scheduled, attempted({ status: 500 }, later))
    .when(record({ status: 204 }, later, 1))
    .then([])
  delivery(t, scheduled, succeeded(1))
    .when(record({ status: 500 }, later, 1))
    .then([])
  delivery(t, scheduled, attempted({ status: 410 }), exhausted(1, 'the receiver answered 410 Gone'))
    .when(record({ status: 204 }, later, 1))
    .then([])
  delivery(t)
    .when(record({ status: 204 }, later))
    .then([])
})

t.test('a redelivery begins the schedule again, before and after the end', async (t) => {
  const redeliver: DeliveryCommand = { type: 'Redeliver', data: { delivery_id: 'msg_1', next_at: later } }
  const rescheduled = (attempt: number): DeliveryEvent => ({
    type: 'DeliveryRescheduled',
    data: { url: data.url, attempt, next_at: later },
  })
  delivery(t).when(redeliver).refused('DELIVERY_NOT_FOUND')
  delivery(t, scheduled, succeeded(1))
    .when(redeliver)
    .then([rescheduled(2)])
  const ended = [scheduled, attempted({ status: 410 }), exhausted(1, 'the receiver answered 410 Gone')]
  delivery(t, ...ended)
    .when(redeliver)
    .then([rescheduled(2)])
  delivery(t, ...ended, rescheduled(2))
    .when(record({ status: 204 }, later, 2))
    .then([succeeded(2)])
})

t.test('a delivery can be given up', async (t) => {
  const giveUp: DeliveryCommand = { type: 'GiveUp', data: { attempt: 1, reason: 'no' } }
  delivery(t, scheduled)
    .when(giveUp)
    .then([exhausted(1, 'no')])
  delivery(t, scheduled, succeeded(1)).when(giveUp).then([])
})

t.test('the outcome of an attempt that a redelivery has replaced does not count', async (t) => {
  const redeliver: DeliveryCommand = { type: 'Redeliver', data: { delivery_id: 'msg_1', next_at: later } }
  const rescheduled = (attempt: number): DeliveryEvent => ({
    type: 'DeliveryRescheduled',
    data: { url: data.url, attempt, next_at: later },
  })
  delivery(t, scheduled)
    .when(redeliver)
    .then([rescheduled(2)])
  delivery(t, scheduled, attempted({ status: 500 }, later))
    .when(redeliver)
    .then([rescheduled(3)])
  delivery(t, scheduled, rescheduled(2))
    .when(redeliver)
    .then([rescheduled(3)])
  for (const outcome of [{ status: 204 }, { status: 410 }, { status: 500 }, { error: 'no response in time' }]) {
    delivery(t, scheduled, rescheduled(2))
      .when(record(outcome, later, 1))
      .then([])
    delivery(t, scheduled, rescheduled(2))
      .when(record(outcome, undefined, 1))
      .then([])
  }
  delivery(t, scheduled, rescheduled(2))
    .when({ type: 'GiveUp', data: { attempt: 1, reason: 'no' } })
    .then([])
  delivery(t, scheduled, rescheduled(2))
    .when(record({ status: 204 }, later, 2))
    .then([succeeded(2)])
})
