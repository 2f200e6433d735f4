import type { RelayName } from '@platen/domain/events/define-event.ts'
import type { EventStore } from '@platen/event-store/event-store.ts'
import { claimDeployment, type Joining } from '../host/join-deployment.ts'
import { restartStopped, stoppedRelays } from './stopped-relays.ts'

export interface ClaimingServices extends Joining {
  store: EventStore
}

/**
 * Makes NATS and the object store belong to this event store, whatever they belonged to. A relay that could not resume,
 * because EVENTS belongs to another event store or to a newer copy of this one, publishes the events recorded from now
 * on, see `restartStopped`. Returns these relays. To be called while no service runs.
 */
export async function claim(services: ClaimingServices): Promise<RelayName[]> {
  const { bus, store } = services
  const stopped = await stoppedRelays(store, bus)
  for (const service of stopped) await restartStopped({ service, store, bus })
  await claimDeployment(services)
  return stopped
}
