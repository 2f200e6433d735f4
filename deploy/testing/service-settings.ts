import { readEventStoreDbUrl } from '@platen/event-store/adapters/eventstoredb/url.ts'
import { logLevels } from '@platen/foundation/runtime/logger.ts'
import { ConfigError, type Environment, readConfig, type SettingsReader } from '@platen/foundation/settings/config.ts'
import { parseS3Url } from '@platen/object-store/adapters/s3/url.ts'
import { readBackingServicesConfig } from '@platen/service-kit/host/backing-services.ts'
import { readOperationsConfig } from '@platen/service-kit/host/run-service.ts'
import { readGatewayConfig } from '../../services/gateway/src/config.ts'
import { readNotifierConfig } from '../../services/notifier/src/config.ts'
import { readRendererConfig } from '../../services/renderer/src/config.ts'
import { readTemplateConfig } from '../../services/template/src/config.ts'

export const services = ['gateway', 'template', 'renderer', 'notifier'] as const
export type Service = (typeof services)[number]

const own: Record<Service, (settings: SettingsReader) => unknown> = {
  gateway: readGatewayConfig,
  template: readTemplateConfig,
  renderer: readRendererConfig,
  notifier: readNotifierConfig,
}

/** The other services have a port for health and metrics only. */
export const speaksHttp = (service: Service) => service === 'gateway'

function readAll(service: Service, settings: SettingsReader): void {
  readBackingServicesConfig(settings)
  own[service](settings)
  if (!speaksHttp(service)) readOperationsConfig(settings)
  settings.choice('LOG_LEVEL', { default: 'info', allowed: logLevels })
}

/** The name of every setting that the service reads when it starts. */
export function settingsOf(service: Service): Set<string> {
  const names = new Set<string>()
  const env = new Proxy<Record<string, string | undefined>>(
    {},
    {
      get(_target, name) {
        names.add(String(name))
        return undefined
      },
    },
  )
  problemsWith(service, env)
  return names
}

/** The problems that the service reports for this environment. */
export function problemsWith(service: Service, env: Environment): readonly string[] {
  try {
    readConfig(env, (settings) => readAll(service, settings))
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
