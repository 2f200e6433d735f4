import type { EventStore } from '@platen/event-store/event-store.ts'
import { hashedId } from '@platen/foundation/runtime/ids.ts'
import { type Environment, readConfig } from '@platen/foundation/settings/config.ts'
import { optionalText, type ValuesOf } from '@platen/foundation/settings/setting.ts'
import { publicUrl } from './common-settings.ts'

export const deploymentSettings = {
  /** The name of the deployment. Default: an id that belongs to its event store. */
  deployment: optionalText('DEPLOYMENT', {
    form: {
      pattern: /^[a-z0-9]([\w.:/-]{0,98}[\w])?$/i,
      hint: 'up to 100 letters, digits and ._:/- such as https://pdf.example.com or invoices-eu',
      right: ['invoices-eu', 'https://pdf.example.com', 'a'],
      wrong: ['with a space', '-a', '"a"', 'a'.repeat(101)],
    },
    shownDefault: 'an id of the event store',
    meaning:
      'the [identity](../operate/identity.md) of this deployment, such as `invoices-eu`; the same for all services',
  }),
  publicUrl,
}

export type DeploymentConfig = Partial<ValuesOf<typeof deploymentSettings>>

/** The identity of the deployment: DEPLOYMENT, or the id of its event store (`dep_…`). Throws StoreUnavailable. */
export async function deploymentOf(
  store: Pick<EventStore, 'identity'>,
  { deployment }: DeploymentConfig,
): Promise<string> {
  return deployment ?? hashedId('dep', await store.identity())
}

/** The URL under which a gateway serves the schemas of events. */
export function schemasUrl({ publicUrl = 'http://localhost:3000' }: DeploymentConfig): string {
  return `${publicUrl}/schemas`
}

/** The dependencies of a command that publishes events like the services. */
export async function publisherOf(store: Pick<EventStore, 'identity'>, env: Environment) {
  const config = readConfig(env, (settings) => settings.read(deploymentSettings))
  return { deployment: await deploymentOf(store, config), schemas: schemasUrl(config) }
}
