import { join } from 'node:path'
import { buckets } from '@platen/domain/streams/buckets.ts'
import { repeatedly } from '@platen/foundation/runtime/repeatedly.ts'
import { whileHoldingLease } from '@platen/messaging/key-value/lease.ts'
import type { BackingServices } from '@platen/service-kit/host/backing-services.ts'
import { openRepairingView, type RepairingView } from '../schedule/repairing-view.ts'
import { type OpenGenerations, openGenerationsView } from './open-generations.ts'
import { QueuedCommands } from './queued-commands.ts'
import { type SupervisorLimits, sweepGenerations } from './sweep-generations.ts'

export interface SupervisorConfig extends SupervisorLimits {
  /** The folder of its view. */
  folder: string
  everyMs: number
}

/**
 * Ends generations that no renderer will end, in one process at a time. Resolves when `stopping` has aborted.
 */
export async function runSupervisor(
  config: SupervisorConfig,
  services: BackingServices,
  stopping: AbortSignal,
): Promise<void> {
  const { bus, log, instance, hasEnded } = services
  await whileHoldingLease({
    bus,
    bucket: buckets.leases,
    name: 'supervisor',
    holder: instance,
    hasEnded,
    log,
    stopping,
    async work(signal) {
      using view = openRepairingView(join(config.folder, 'generations.db'), openGenerationsView)
      await superviseGenerations(config, services, view, signal)
    },
  })
}

async function superviseGenerations(
  limits: SupervisorConfig,
  { bus, store, log }: BackingServices,
  { view, follow }: RepairingView<OpenGenerations>,
  signal: AbortSignal,
): Promise<void> {
  const caughtUp = Promise.withResolvers<void>()
  const projection = follow({
    store,
    categories: ['generation'],
    onCaughtUp: caughtUp.resolve,
    log,
    signal,
  })
  await Promise.race([caughtUp.promise, projection])
  const sweep = { store, view, commands: new QueuedCommands(bus), limits, deadLettered: new Set<string>(), log, signal }
  const onFault = (err: unknown) => log.warn({ err }, 'supervision failed, retrying')
  await repeatedly({ everyMs: limits.everyMs, onFault, signal }, async () => {
    await sweepGenerations(sweep, bus.clock.now())
  })
  await projection
}
