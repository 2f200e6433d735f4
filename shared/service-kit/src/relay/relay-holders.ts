import type { RelayName } from '@platen/domain/events/define-event.ts'
import { buckets } from '@platen/domain/streams/buckets.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import { readBucket } from '@platen/messaging/key-value/bucket.ts'
import { relayKey, relayNames } from './relays.ts'

/** Throws if a service publishes its events. One that was killed counts as running for up to 10 seconds. */
export async function requireStopped(bus: Bus): Promise<void> {
  for (const name of relayNames) {
    const holder = await holderOf(bus, name)
    if (holder !== undefined) throw new Error(`${holder} publishes the events of ${name}; stop all services first`)
  }
}

/** The holder of the relay's lease, if it has not run out. */
export async function holderOf(bus: Bus, relay: RelayName): Promise<string | undefined> {
  const entry = await (await readBucket(bus, buckets.leases)).get(relayKey(relay))
  if (entry?.operation !== 'PUT') return undefined
  const { holder, until } = entry.json<{ holder: string; until: number }>()
  return until > Date.now() ? holder : undefined
}
