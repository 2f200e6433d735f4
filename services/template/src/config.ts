import type { SettingsReader } from '@platen/foundation/settings/config.ts'

export interface TemplateConfig {
  /** Commands handled concurrently. */
  concurrency: number
}

export function readTemplateConfig(settings: SettingsReader): TemplateConfig {
  return { concurrency: settings.integer('TEMPLATE_CONCURRENCY', { default: 16, min: 1, max: 1_000 }) }
}
