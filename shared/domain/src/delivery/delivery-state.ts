import type { Unreadable } from '@platen/event-store/decider.ts'
import { foldIdOf } from '../events/fold-id.ts'
import { type DeliveryEvent, type DeliveryScheduled, deliveryEvents } from './delivery-events.ts'

/** The state of a delivery, folded from its stream. */
export type DeliveryState =
  | { status: 'absent' }
  | {
      status: 'pending'
      delivery: DeliveryScheduled['data']
      /** The number of the next attempt, from 1. One that a redelivery has replaced is not used again. */
      attempt: number
      /** When the next attempt is due, ISO 8601. */
      nextAt: string
      /** The number of the attempt with which the schedule began, from 1. */
      firstAttempt: number
      /** Whether a redelivery was requested. */
      redelivered: boolean
    }
  | { status: 'succeeded' | 'exhausted'; delivery: DeliveryScheduled['data']; attempts: number }

export const absentDelivery: DeliveryState = { status: 'absent' }

export function evolveDelivery(state: DeliveryState, event: DeliveryEvent | Unreadable): DeliveryState {
  if (event.type === 'DeliveryScheduled') {
    const { data: delivery } = event
    return { status: 'pending', delivery, attempt: 1, nextAt: delivery.next_at, firstAttempt: 1, redelivered: false }
  }
  if (state.status === 'absent') return state
  const { delivery } = state
  switch (event.type) {
    case 'DeliveryAttempted': {
      const { attempt, next_at: nextAt } = event.data
      if (state.status !== 'pending' || nextAt === undefined) return state
      return { ...state, attempt: attempt + 1, nextAt }
    }
    case 'DeliverySucceeded':
      return { status: 'succeeded', delivery, attempts: event.data.attempt }
    case 'DeliveryExhausted':
      return { status: 'exhausted', delivery, attempts: event.data.attempts }
    case 'DeliveryRescheduled': {
      const { attempt, next_at: nextAt } = event.data
      return { status: 'pending', delivery, attempt, nextAt, firstAttempt: attempt, redelivered: true }
    }
    case '$unreadable':
      return state
  }
}

/** A delivery that is sent again and again has a long stream. */
export const deliveryFoldId = foldIdOf({
  events: deliveryEvents,
  initialState: absentDelivery,
  evolve: evolveDelivery,
})
