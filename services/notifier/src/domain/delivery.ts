import type { DeliveryEvent, DeliveryScheduled } from '@platen/shared/contracts/delivery.ts'
import type { Decider } from '@platen/shared/event-store/decider.ts'

export type ScheduleDelivery = { type: 'ScheduleDelivery'; data: DeliveryScheduled['data'] }

/** Records the outcome of an attempt: the status that the receiver answered, or why there was no response. */
export type RecordAttempt = {
  type: 'RecordAttempt'
  data: {
    /** Counts from 1. */
    attempt: number
    outcome: { status: number } | { error: string }
    duration_ms: number
    /** When to try again if the attempt failed, ISO 8601. Absent after the last attempt. */
    next_at?: string
  }
}
/** Ends the delivery without another attempt. */
export type GiveUp = { type: 'GiveUp'; data: { attempt: number; reason: string } }
export type DeliveryCommand = ScheduleDelivery | RecordAttempt | GiveUp

export type DeliveryState =
  | { status: 'absent' }
  | {
      status: 'pending'
      delivery: DeliveryScheduled['data']
      /** The number of the next attempt, from 1. */
      attempt: number
      /** When the next attempt is due, ISO 8601. */
      nextAt: string
    }
  | { status: 'succeeded' | 'exhausted'; attempts: number }

export const deliveryDecider: Decider<DeliveryState, DeliveryCommand, DeliveryEvent> = {
  initialState: { status: 'absent' },
  decide,
  evolve,
}

function decide(command: DeliveryCommand, delivery: DeliveryState): DeliveryEvent[] {
  switch (command.type) {
    case 'ScheduleDelivery':
      // The event of the generation was redelivered. Its delivery is scheduled already.
      return delivery.status === 'absent' ? [{ type: 'DeliveryScheduled', data: command.data }] : []
    case 'RecordAttempt':
      // Two notifiers may make the same attempt if one of them stalls. The first outcome to be recorded counts.
      if (delivery.status !== 'pending' || delivery.attempt !== command.data.attempt) return []
      return attemptEvents(command.data)
    case 'GiveUp': {
      const { attempt, reason } = command.data
      if (delivery.status !== 'pending' || delivery.attempt !== attempt) return []
      return [{ type: 'DeliveryExhausted', data: { attempts: attempt - 1, reason } }]
    }
  }
}

function attemptEvents({ attempt, outcome, duration_ms, next_at }: RecordAttempt['data']): DeliveryEvent[] {
  const status = 'status' in outcome ? outcome.status : undefined
  if (status !== undefined && status >= 200 && status < 300) {
    return [{ type: 'DeliverySucceeded', data: { attempt, status, duration_ms } }]
  }
  const failed = { attempt, ...outcome, duration_ms }
  if (status !== 410 && next_at !== undefined) return [{ type: 'DeliveryAttempted', data: { ...failed, next_at } }]
  const reason = status === 410 ? 'the receiver answered 410 Gone' : 'the last attempt failed'
  return [
    { type: 'DeliveryAttempted', data: failed },
    { type: 'DeliveryExhausted', data: { attempts: attempt, reason } },
  ]
}

function evolve(delivery: DeliveryState, event: DeliveryEvent): DeliveryState {
  switch (event.type) {
    case 'DeliveryScheduled':
      return { status: 'pending', delivery: event.data, attempt: 1, nextAt: event.data.next_at }
    case 'DeliveryAttempted': {
      const { attempt, next_at: nextAt } = event.data
      if (delivery.status !== 'pending' || nextAt === undefined) return delivery
      return { ...delivery, attempt: attempt + 1, nextAt }
    }
    case 'DeliverySucceeded':
      return { status: 'succeeded', attempts: event.data.attempt }
    case 'DeliveryExhausted':
      return { status: 'exhausted', attempts: event.data.attempts }
  }
}
