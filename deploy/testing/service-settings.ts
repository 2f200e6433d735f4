import { readEventStoreDbUrl } from '@platen/event-store/adapters/eventstoredb/url.ts'
import { ConfigError, type Environment, readConfig, type SettingsReader } from '@platen/foundation/settings/config.ts'
import { parseS3Url } from '@platen/object-store/adapters/s3/url.ts'
import { shutdownLimitMs } from '@platen/service-kit/host/shutdown-limit.ts'
import { allSettings, readServiceConfig, type Service } from '../../scripts/all-settings.ts'
import { longestRequestMs, readGatewayConfig } from '../../services/gateway/src/config.ts'
import { readNotifierConfig } from '../../services/notifier/src/config.ts'
import { readRendererConfig } from '../../services/renderer/src/config.ts'
import { longestDocumentMs } from '../../services/renderer/src/print/time-limit.ts'

export { type Service, services, speaksHttp } from '../../scripts/all-settings.ts'

/** The name of every setting that the service reads when it starts. */
export function settingsOf(service: Service): Set<string> {
  const ofService = allSettings.filter(({ setting, readBy }) => readBy.includes(service) && !setting.standard)
  return new Set(ofService.map(({ setting }) => setting.name))
}

/** The problems that the service reports for this environment. */
export function problemsWith(service: Service, env: Environment): readonly string[] {
  try {
    readConfig(env, (settings) => readServiceConfig(service, settings))
    return []
  } catch (err) {
    if (err instanceof ConfigError) return err.problems
    throw err
  }
}

/** Throws if the adapters for EventStoreDB and S3 do not accept the URLs of this environment. */
export function checkStoreUrls(env: Environment): void {
  const { EVENT_STORE_URL = '', OBJECT_STORE_URL = '', OBJECT_STORE_ACCESS_KEY, OBJECT_STORE_SECRET_KEY } = env
  readEventStoreDbUrl(EVENT_STORE_URL)
  parseS3Url(OBJECT_STORE_URL, { accessKey: OBJECT_STORE_ACCESS_KEY, secretKey: OBJECT_STORE_SECRET_KEY })
}

const longestWorkMs: Record<Service, (settings: SettingsReader) => number> = {
  gateway: (settings) => longestRequestMs(readGatewayConfig(settings)),
  template: () => 0,
  renderer: (settings) => longestDocumentMs(readRendererConfig(settings)),
  notifier: (settings) => readNotifierConfig(settings).timeoutMs,
}

const reserveS = 10

/** The least time in seconds after which a supervisor may kill a process whose longest work takes this long. */
export const graceOf = (workMs: number): number => Math.ceil(shutdownLimitMs(workMs) / 1_000) + reserveS

/** The same for a service with this environment. */
export const leastGraceS = (service: Service, env: Environment): number =>
  graceOf(readConfig(env, longestWorkMs[service]))
