import type { Decider } from '@platen/event-store/decider.ts'
import { defined } from '@platen/foundation/json/defined.ts'
import type { DeliveryEvent, DeliveryScheduled } from './delivery-events.ts'
import { absentDelivery, type DeliveryState, deliveryFoldId, evolveDelivery } from './delivery-state.ts'
import { decideRedelivery, type Redeliver } from './redeliver.ts'

export type ScheduleDelivery = { type: 'ScheduleDelivery'; data: DeliveryScheduled['data'] }

/** Records the outcome of an attempt: the status that the receiver answered, or why there was no response. */
export type RecordAttempt = {
  type: 'RecordAttempt'
  data: {
    /** Counts from 1. */
    attempt: number
    outcome: { status: number } | { error: string }
    duration_ms: number
    /** The beginning of the response body. */
    response?: string
    /** When to try again if the attempt failed, ISO 8601. Absent after the last attempt. */
    next_at?: string
  }
}
/** Ends the delivery instead of making the attempt. */
export type GiveUp = { type: 'GiveUp'; data: { attempt: number; reason: string } }
export type DeliveryCommand = ScheduleDelivery | RecordAttempt | GiveUp | Redeliver

export const deliveryDecider: Decider<DeliveryState, DeliveryCommand, DeliveryEvent> = {
  initialState: absentDelivery,
  decide,
  evolve: evolveDelivery,
  foldId: deliveryFoldId,
}

function decide(command: DeliveryCommand, delivery: DeliveryState): DeliveryEvent[] {
  switch (command.type) {
    case 'ScheduleDelivery':
      // The event of the generation was redelivered. Its delivery is scheduled already.
      return delivery.status === 'absent' ? [{ type: 'DeliveryScheduled', data: command.data }] : []
    case 'RecordAttempt':
      // Two notifiers may make the same attempt if one of them stalls; the first recorded outcome counts. The outcome
      // of an attempt that a redelivery has replaced is ignored.
      if (delivery.status !== 'pending' || delivery.attempt !== command.data.attempt) return []
      return attemptEvents(command.data)
    case 'GiveUp': {
      const { attempt: attempts, reason } = command.data
      if (delivery.status !== 'pending' || delivery.attempt !== attempts) return []
      return [{ type: 'DeliveryExhausted', data: { attempts, reason } }]
    }
    case 'Redeliver':
      return decideRedelivery(command, delivery)
  }
}

function attemptEvents({ attempt, outcome, duration_ms, response, next_at }: RecordAttempt['data']): DeliveryEvent[] {
  const status = 'status' in outcome ? outcome.status : undefined
  const answer = { duration_ms, ...defined({ response }) }
  if (status !== undefined && status >= 200 && status < 300) {
    return [{ type: 'DeliverySucceeded', data: { attempt, status, ...answer } }]
  }
  const failed = { attempt, ...outcome, ...answer }
  if (status !== 410 && next_at !== undefined) return [{ type: 'DeliveryAttempted', data: { ...failed, next_at } }]
  const reason = status === 410 ? 'the receiver answered 410 Gone' : 'the last attempt failed'
  return [
    { type: 'DeliveryAttempted', data: failed },
    { type: 'DeliveryExhausted', data: { attempts: attempt, reason } },
  ]
}
