import { type SettingsReader, settingsReadBy } from '@platen/foundation/settings/config.ts'
import type { Setting } from '@platen/foundation/settings/setting.ts'
import { otlpVariables } from '@platen/foundation/tracing/start-tracing.ts'
import { readBackingServicesConfig } from '@platen/service-kit/host/backing-services.ts'
import { processSettings } from '@platen/service-kit/host/run-process.ts'
import { adminSettings } from '@platen/service-kit/host/run-service.ts'
import { natsChildSettings } from '../deploy/single-node/src/config.ts'
import { readGatewayConfig } from '../services/gateway/src/config.ts'
import { readNotifierConfig } from '../services/notifier/src/config.ts'
import { readRendererConfig } from '../services/renderer/src/config.ts'
import { readTemplateConfig } from '../services/template/src/config.ts'

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

/** Reads what a service reads in a process of its own. */
export function readServiceConfig(service: Service, settings: SettingsReader): void {
  settings.read(processSettings)
  readBackingServicesConfig(settings)
  own[service](settings)
  if (!speaksHttp(service)) settings.read(adminSettings)
}

export interface ListedSetting {
  setting: Setting
  /** The services that read it; none for a setting of `npm start` alone. */
  readBy: readonly Service[]
}

/**
 * Every setting, and every variable of other specifications that a start checks. The command line has no settings of
 * its own.
 */
export const allSettings: readonly ListedSetting[] = listSettings()

function listSettings(): ListedSetting[] {
  const listed = new Map<string, { setting: Setting; readBy: Service[] }>()
  const add = (found: ReadonlyMap<string, Setting>, ...readBy: Service[]) => {
    for (const [name, setting] of found) {
      const entry = listed.get(name) ?? { setting, readBy: [] }
      entry.readBy.push(...readBy)
      listed.set(name, entry)
    }
  }
  for (const service of services) {
    add(
      settingsReadBy((settings) => readServiceConfig(service, settings)),
      service,
    )
  }
  add(settingsReadBy((settings) => settings.read(natsChildSettings)))
  add(settingsReadBy((settings) => settings.read(otlpVariables)))
  return [...listed.values()]
}
