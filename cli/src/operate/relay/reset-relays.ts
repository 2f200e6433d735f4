import { relays } from '@platen/domain/catalogue/events.ts'
import type { RelayName } from '@platen/domain/events/define-event.ts'
import { buckets } from '@platen/domain/streams/buckets.ts'
import { streams } from '@platen/domain/streams/subjects.ts'
import type { EventStore, Position } from '@platen/event-store/event-store.ts'
import type { Environment } from '@platen/foundation/settings/config.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import { openBucket } from '@platen/messaging/key-value/bucket.ts'
import type { ObjectStore } from '@platen/object-store/object-store.ts'
import { publisherOf } from '@platen/service-kit/host/deployment.ts'
import { adoptDeployment } from '@platen/service-kit/host/join-deployment.ts'
import { relayKey } from '@platen/service-kit/relay/relays.ts'
import type { Checkpoint } from '@platen/service-kit/relay/resume-point.ts'

export const relayNames = Object.keys(relays) as RelayName[]

/** Throws if a service publishes its events. One that was killed counts as running for up to 10 seconds. */
export async function requireStopped(bus: Bus): Promise<void> {
  for (const name of relayNames) {
    const holder = await holderOf(bus, name)
    if (holder !== undefined) throw new Error(`${holder} publishes the events of ${name}; stop all services first`)
  }
}

export interface Resetting {
  store: EventStore
  bus: Bus
  objects: ObjectStore
  env: Environment
  note: (line: string) => void
}

/**
 * Lets every relay publish what is recorded after the returned position, the end of the log, and makes NATS and the object
 * store those of this event store's deployment. No service runs meanwhile.
 */
export async function resetRelays({ store, bus, objects, env, note }: Resetting): Promise<Position | 'start'> {
  const { deployment } = await publisherOf(store, env)
  const log = { warn: (_: unknown, message?: string) => note(message ?? '') }
  await adoptDeployment({ bus, objects, deployment, log })
  const { created, state } = await bus.jsm.streams.info(streams.events)
  const checkpoints = await openBucket(bus, buckets.checkpoints)
  const position = await store.end()
  const checkpoint: Checkpoint = { position, seq: state.last_seq, stream: created, origin: position }
  for (const name of relayNames) await checkpoints.put(relayKey(name), JSON.stringify(checkpoint))
  return position
}

/** The holder of the relay's lease, if it has not run out. */
export async function holderOf(bus: Bus, relay: RelayName): Promise<string | undefined> {
  const entry = await (await openBucket(bus, buckets.leases)).get(relayKey(relay))
  if (entry?.operation !== 'PUT') return undefined
  const { holder, until } = entry.json<{ holder: string; until: number }>()
  return until > Date.now() ? holder : undefined
}
