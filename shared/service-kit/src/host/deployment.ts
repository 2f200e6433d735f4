import type { EventStore } from '@platen/event-store/event-store.ts'
import { hashedId } from '@platen/foundation/runtime/ids.ts'
import { type Environment, readConfig, type SettingsReader } from '@platen/foundation/settings/config.ts'
import { publicUrl } from '@platen/foundation/settings/setting-forms.ts'

export interface DeploymentConfig {
  /** DEPLOYMENT: the name of the deployment. Default: an id that belongs to its event store. */
  deployment?: string | undefined
  /** PUBLIC_URL, without a slash at the end: the address of the gateway for clients. */
  publicUrl?: string | undefined
}

export function readDeploymentConfig(settings: SettingsReader): DeploymentConfig {
  return {
    deployment: settings.optionalText('DEPLOYMENT', {
      pattern: /^[a-z0-9]([\w.:/-]{0,98}[\w])?$/i,
      hint: 'up to 100 letters, digits and ._:/- such as https://pdf.example.com or invoices-eu',
    }),
    publicUrl: settings.optionalText('PUBLIC_URL', publicUrl)?.replace(/\/+$/, ''),
  }
}

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

/** What a command needs to publish events as the services do. */
export async function publisherOf(store: Pick<EventStore, 'identity'>, env: Environment) {
  const config = readConfig(env, readDeploymentConfig)
  return { deployment: await deploymentOf(store, config), schemas: schemasUrl(config) }
}
