import type { RelayName } from '@platen/domain/events/define-event.ts'
import { buckets } from '@platen/domain/streams/buckets.ts'
import { ask } from '@platen/messaging/connection/ask.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import { toldTime } from '@platen/messaging/connection/server-clock.ts'
import { readBucket, streamOfBucket } from '@platen/messaging/key-value/bucket.ts'
import { leaseMs } from '@platen/messaging/key-value/lease.ts'
import { found } from '@platen/messaging/streams/streams.ts'
import { mostPartitions } from '../host/common-settings.ts'
import { leaseOf, relayNames } from './relays.ts'

/** Throws if a service publishes its events. One that was killed counts as running for up to 10 seconds. */
export async function requireStopped(bus: Bus): Promise<void> {
  for (const name of relayNames) {
    // Also partitions that there are not any more: their holder may not know it yet.
    const holders = await holdersOf(bus, name, mostPartitions)
    const holder = holders.find((one) => one !== undefined)
    if (holder !== undefined) throw new Error(`${holder} publishes the events of ${name}; stop all services first`)
  }
}

/** The holder of the lease of each partition, if it has renewed it. */
export async function holdersOf(bus: Bus, relay: RelayName, partitions: number): Promise<(string | undefined)[]> {
  const leases = await readBucket(bus, buckets.leases)
  // That of the server which has the leases: in a cluster it may not be the one that tells the time.
  const nowMs = toldTime(await ask(bus, () => found(bus.queries.streams.info(streamOfBucket(buckets.leases)))))
  const read = Array.from({ length: partitions }, async (_, partition) => {
    const entry = await leases.get(leaseOf(relay, partition))
    if (entry?.operation !== 'PUT' || nowMs - entry.created.getTime() > leaseMs) return undefined
    return entry.json<{ holder?: string }>().holder
  })
  return Promise.all(read)
}
