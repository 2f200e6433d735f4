import type { Decider } from '@platen/event-store/decider.ts'
import { defined } from '@platen/foundation/json/defined.ts'
import type { RedeliverAnswer } from './delivery.ts'
import type { RedeliveryBegun, RedeliveryEnded, RedeliveryEvent } from './redelivery-events.ts'

export interface RedeliveryState {
  status: 'absent' | 'begun' | 'ended'
  /** What was chosen. */
  deliveries: RedeliveryBegun['data']['deliveries']
  /** The answer to the command; before the end, if all deliveries are sent. */
  answer: RedeliverAnswer
}

export type RedeliveryCommand =
  | { type: 'BeginRedelivery'; data: RedeliveryBegun['data'] }
  | { type: 'EndRedelivery'; data: RedeliveryEnded['data'] }

/** Stream `redelivery-<red id>`. The first beginning and the first end count. */
export const redeliveryDecider: Decider<RedeliveryState, RedeliveryCommand, RedeliveryEvent> = {
  initialState: { status: 'absent', deliveries: [], answer: { redelivered: 0 } },
  decide(command, { status }) {
    switch (command.type) {
      case 'BeginRedelivery':
        return status === 'absent' ? [{ type: 'RedeliveryBegun', data: command.data }] : []
      case 'EndRedelivery':
        return status === 'begun' ? [{ type: 'RedeliveryEnded', data: command.data }] : []
    }
  },
  evolve(state, event) {
    switch (event.type) {
      case 'RedeliveryBegun': {
        const { deliveries, next_since } = event.data
        const answer = { redelivered: deliveries.length, ...defined({ next_since }) }
        return { status: 'begun', deliveries, answer }
      }
      case 'RedeliveryEnded':
        return { ...state, status: 'ended', answer: event.data }
      case '$unreadable':
        return state
    }
  },
}
