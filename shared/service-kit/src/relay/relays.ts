import { relays } from '@platen/domain/catalogue/events.ts'
import type { RelayName } from '@platen/domain/events/define-event.ts'

export const relayNames = Object.keys(relays) as RelayName[]

/** The key of a relay in the bucket CHECKPOINTS, and the name of its lease. */
export const relayKey = (service: RelayName) => `relay.${service}`
