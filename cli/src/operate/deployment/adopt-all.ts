import type { RelayName } from '@platen/domain/events/define-event.ts'
import { publisherOf } from '@platen/service-kit/host/deployment.ts'
import { adopt } from '@platen/service-kit/relay/adopt.ts'
import type { CommandContext } from '../../frame/command.ts'

export type AdoptingServices = Pick<CommandContext, 'openStore' | 'openBus' | 'openObjects' | 'env' | 'note'>

/** See `adopt`. No service runs meanwhile. */
export async function adoptAll({ openStore, openBus, openObjects, env, note }: AdoptingServices): Promise<RelayName[]> {
  const [store, bus, objects] = [await openStore(), await openBus(), await openObjects()]
  const { deployment } = await publisherOf(store, env)
  const log = { warn: (_: unknown, message?: string) => note(message ?? '') }
  return adopt({ store, bus, objects, deployment, log })
}
