import { join } from 'node:path'
import type { SettingsReader } from '@platen/foundation/settings/config.ts'
import { publicUrl } from '@platen/foundation/settings/setting-forms.ts'
import type { SupervisorConfig } from './supervisor/run-supervisor.ts'
import { defaultScheduleMs } from './webhook/schedule.ts'

const hourMs = 3_600_000

export interface NotifierConfig {
  signingSecret: string
  /** The base URL of the gateway for clients. */
  publicUrl: string
  /** How long the file URL in a webhook is valid. */
  fileUrlTtlS: number
  /** The database file of the view of due deliveries. */
  viewPath: string
  /** Allow receivers on private and loopback addresses, for development and tests. */
  allowPrivate: boolean
  /** The wait before each attempt, from the one before. */
  scheduleMs: readonly number[]
  /** For one attempt: name resolution, connection, request and response. */
  timeoutMs: number
  /** The path of certificates (PEM) that receivers may have besides those that Node trusts. */
  caPath: string | undefined
  /** An endpoint is disabled when every attempt has failed for this time. */
  disableAfterMs: number
  supervisor: SupervisorConfig
  /** Concurrent attempts. */
  concurrency: { total: number; perHost: number }
}

export function readNotifierConfig(settings: SettingsReader): NotifierConfig {
  const folder = join(settings.text('DATA_DIR', { default: './data' }), 'notifier')
  return {
    signingSecret: settings.text('SIGNING_SECRET', {
      pattern: /^.{32,}$/,
      hint: 'at least 32 characters',
      secret: true,
    }),
    publicUrl: settings.text('PUBLIC_URL', publicUrl),
    fileUrlTtlS: settings.integer('FILE_URL_TTL_S', { default: 604_800, min: 60, max: 31_536_000 }),
    viewPath: join(folder, 'deliveries.db'),
    allowPrivate: settings.flag('WEBHOOK_ALLOW_PRIVATE', { default: false }),
    scheduleMs: readSchedule(settings),
    timeoutMs: settings.integer('WEBHOOK_TIMEOUT_MS', { default: 15_000, min: 100, max: 15_000 }),
    caPath: settings.optionalText('WEBHOOK_CA'),
    disableAfterMs: 1_000 * settings.integer('WEBHOOK_DISABLE_AFTER_S', { default: 432_000, min: 1, max: 31_536_000 }),
    supervisor: {
      folder,
      everyMs: 1_000 * settings.integer('SUPERVISOR_INTERVAL_S', { default: 10, min: 1, max: 3_600 }),
      lostAfterMs: 30_000,
      orphanAfterMs: 1_000 * settings.integer('GENERATION_ORPHAN_S', { default: 300, min: 1, max: 86_400 }),
      overdueAfterMs:
        1_000 * settings.integer('GENERATION_DEADLINE_S', { default: 86_400, min: 1, max: 2_592_000 }) + hourMs,
      leftoverAfterMs: 60_000,
    },
    concurrency: {
      total: settings.integer('WEBHOOK_CONCURRENCY', { default: 100, min: 1, max: 10_000 }),
      perHost: settings.integer('WEBHOOK_CONCURRENCY_PER_HOST', { default: 5, min: 1, max: 1_000 }),
    },
  }
}

function readSchedule(settings: SettingsReader): readonly number[] {
  const seconds = settings.optionalText('WEBHOOK_SCHEDULE', {
    pattern: /^\d{1,6}(\.\d+)?(\s*,\s*\d{1,6}(\.\d+)?)*$/,
    hint: 'the seconds to wait before each attempt, such as 0,5,300,1800',
  })
  return seconds === undefined ? defaultScheduleMs : seconds.split(',').map((text) => Math.round(Number(text) * 1_000))
}
