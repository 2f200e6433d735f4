import type { WholeDecider } from '@platen/event-store/decider.ts'
import { hashedId } from '@platen/foundation/runtime/ids.ts'
import type { EndpointDisabled, EndpointEvent } from './endpoint-events.ts'

export type EndpointState = { status: 'enabled' } | { status: 'disabled'; reason: EndpointDisabled['data']['reason'] }

export type EndpointCommand =
  | { type: 'DisableEndpoint'; data: EndpointDisabled['data'] }
  | { type: 'EnableEndpoint'; data: { delivery_id: string } }

/** Stream `endpoint-<end id>`. */
export const endpointDecider: WholeDecider<EndpointState, EndpointCommand, EndpointEvent> = {
  initialState: { status: 'enabled' },
  decide(command, { status }) {
    switch (command.type) {
      case 'DisableEndpoint':
        return status === 'enabled' ? [{ type: 'EndpointDisabled', data: command.data }] : []
      case 'EnableEndpoint':
        return status === 'disabled' ? [{ type: 'EndpointEnabled', data: command.data }] : []
    }
  },
  evolve(endpoint, event) {
    switch (event.type) {
      case 'EndpointDisabled':
        return { status: 'disabled', reason: event.data.reason }
      case 'EndpointEnabled':
        return { status: 'enabled' }
      case '$unreadable':
        return endpoint
    }
  },
  isWhole({ type }) {
    switch (type) {
      case 'EndpointDisabled':
      case 'EndpointEnabled':
        return true
      case '$unreadable':
        return false
    }
  },
}

/** `url` is normalized, as in a delivery. */
export function endpointId(ownerId: string, url: string): string {
  return hashedId('end', ownerId, url)
}
