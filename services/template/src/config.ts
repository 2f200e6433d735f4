import type { SettingsReader } from '@platen/foundation/settings/config.ts'
import { ownHelpers, relayPartitions } from '@platen/service-kit/host/common-settings.ts'

export interface TemplateConfig {
  /** Whether templates may have helpers of their own. */
  ownHelpers: boolean
  /** Undefined: as it is recorded in NATS. */
  relayPartitions?: number | undefined
}

export const readTemplateConfig = (settings: SettingsReader): TemplateConfig =>
  settings.read({ ownHelpers, relayPartitions })
