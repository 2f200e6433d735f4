import { type Environment, readConfig, type SettingsReader } from '@platen/foundation/settings/config.ts'
import { integer } from '@platen/foundation/settings/setting.ts'
import { startAdminServer } from './admin-server.ts'
import {
  type BackingServices,
  backingServiceChecks,
  openBackingServices,
  readBackingServicesConfig,
} from './backing-services.ts'
import { host } from './common-settings.ts'
import type { HealthCheck } from './health.ts'
import { showReadiness } from './presence-metrics.ts'
import { runProcess } from './run-process.ts'

/** A service without an HTTP API of its own. */
export interface Service<Config> {
  name: string
  readConfig: (settings: SettingsReader) => Config
  /** How long the work takes at most that a shutdown lets finish, in ms. Default: no time. */
  longestWorkMs?: (config: Config) => number
  start: (config: Config, services: BackingServices) => Promise<AsyncDisposable & { checks?: readonly HealthCheck[] }>
}

/**
 * Runs a service as a process of its own. Serves its health and metrics on ADMIN_PORT, also while it waits to start.
 * See `runProcess`.
 */
export async function runService<Config>(env: Environment, service: Service<Config>): Promise<number> {
  return runProcess(service.name, env, async ({ log, resources, fail, setLongestWork }) => {
    const config = readConfig(env, (settings) => ({
      backingServices: readBackingServicesConfig(settings),
      service: service.readConfig(settings),
      admin: settings.read(adminSettings),
    }))
    setLongestWork(service.longestWorkMs?.(config.service) ?? 0)
    const services = await openBackingServices(config.backingServices, { service: service.name, log, resources, fail })
    const checks = backingServiceChecks(services)
    const starting: HealthCheck = {
      name: service.name,
      check: () => Promise.reject(new Error('the service is starting')),
    }
    checks.push(starting)
    resources.use(showReadiness(services, checks))
    const { adminPort: port, host } = config.admin
    if (port !== 0) {
      resources.use(await startAdminServer({ port, host, checks, metrics: services.metrics }))
    }
    await services.joined
    const running = resources.use(await service.start(config.service, services))
    checks.splice(checks.indexOf(starting), 1, ...(running.checks ?? []))
    log.info('ready')
  })
}

export const adminSettings = {
  adminPort: integer('ADMIN_PORT', {
    // Several services started by hand on one machine need no ports.
    default: 0,
    min: 0,
    max: 65_535,
    shownDefault: '`0`: off',
    meaning: 'serves `/livez`, `/readyz` and `/metrics`',
  }),
  host,
}
