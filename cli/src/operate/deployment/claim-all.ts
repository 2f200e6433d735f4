import type { RelayName } from '@platen/domain/events/define-event.ts'
import { publisherOf } from '@platen/service-kit/host/deployment.ts'
import { claim } from '@platen/service-kit/relay/claim.ts'
import type { CommandContext } from '../../frame/command.ts'

export type ClaimingServices = Pick<CommandContext, 'openStore' | 'openBus' | 'openObjects' | 'env' | 'note'>

/** See `claim`. No service runs meanwhile. */
export async function claimAll({ openStore, openBus, openObjects, env, note }: ClaimingServices): Promise<RelayName[]> {
  const [store, bus, objects] = [await openStore(), await openBus(), await openObjects()]
  const { deployment } = await publisherOf(store, env)
  const log = { warn: (_: unknown, message?: string) => note(message ?? '') }
  return claim({ store, bus, objects, deployment, log })
}
