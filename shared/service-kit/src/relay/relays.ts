import type { RelayName } from '@platen/domain/events/define-event.ts'

/** The key of a relay in the bucket CHECKPOINTS, and the name of its lease. */
export const relayKey = (service: RelayName) => `relay.${service}`
