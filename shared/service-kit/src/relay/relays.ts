import { relays } from '@platen/domain/catalogue/events.ts'
import type { RelayName } from '@platen/domain/events/define-event.ts'

export const relayNames = Object.keys(relays) as RelayName[]

/** The key of a relay in the bucket CHECKPOINTS, and the name of the lease of its first partition. */
export const relayKey = (service: RelayName) => `relay.${service}`

/** The key in CHECKPOINTS of a partition of a relay that has several. */
export const partitionKey = (service: RelayName, partition: number) => `${relayKey(service)}.${partition}`

/** A relay of one partition has the lease of those before there were partitions, so that both are not held at once. */
export const leaseOf = (service: RelayName, partition: number) =>
  partition === 0 ? relayKey(service) : partitionKey(service, partition)

/** The key in CHECKPOINTS of the number of partitions. */
export const layoutKey = (service: RelayName) => `${relayKey(service)}.layout`
