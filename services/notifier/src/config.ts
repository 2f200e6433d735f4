import { join } from 'node:path'
import type { SettingsReader } from '@platen/foundation/settings/config.ts'
import { mapped, optionalText, required } from '@platen/foundation/settings/setting.ts'
import {
  dataDir,
  fileUrlTtlS,
  publicUrl,
  relayPartitions,
  signingSecret,
  webhookAllowPrivate,
} from '@platen/service-kit/host/common-settings.ts'
import { defaultScheduleMs } from './webhook/schedule.ts'

const secondMs = 1_000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

export const notifierSettings = {
  dataDir,
  signingSecret,
  /** The base URL of the gateway for clients. */
  publicUrl: required(publicUrl),
  /** How long the file URL in a webhook is valid. */
  fileUrlTtlS,
  /** Allow receivers on private and loopback addresses, for development and tests. */
  allowPrivate: webhookAllowPrivate,
  relayPartitions,
  /** The wait before each attempt, from the one before. */
  scheduleMs: mapped(
    optionalText('WEBHOOK_SCHEDULE', {
      form: {
        pattern: /^\d{1,6}(\.\d+)?(\s*,\s*\d{1,6}(\.\d+)?)*$/,
        hint: 'the seconds to wait before each attempt, such as 0,5,300,1800',
        right: ['0', '0,5,300,1800', '0, 0.25,60'],
        wrong: ['soon', '0,', '0;5', '-1', '5m', '"0,5"', '0,,5'],
      },
      shownDefault: '`0,5,300,1800,7200,…`',
      meaning: 'seconds before each attempt of a webhook',
    }),
    (text): readonly number[] =>
      text?.split(',').map((seconds) => Math.round(Number(seconds) * secondMs)) ?? defaultScheduleMs,
  ),
}

/** Values that no operator sets. */
const tuning = {
  /**
   * The limit of one attempt: name resolution, connection, request and response. Standard Webhooks recommends 15 to 30
   * s.
   */
  timeoutMs: 15 * secondMs,
  /** An endpoint is disabled when every attempt has failed for this time, which is that of Svix. */
  disableAfterMs: 5 * dayMs,
  /** Attempts at once. One slow host must not hold all of them. */
  concurrency: { total: 100, perHost: 5 },
  /** A file that cannot be read, or not within the limit of an attempt, as its store is slow: the receiver gets a part of it each time. */
  unreadFiles: { firstPauseMs: 5 * secondMs, maxPauseMs: 5 * minuteMs, lostAfterMs: hourMs },
  supervisor: {
    everyMs: 10 * secondMs,
    lostAfterMs: 30 * secondMs,
    /** A generation that has begun and has no command any more. Its renderer may still record its end. */
    orphanAfterMs: 5 * minuteMs,
    /**
     * The age at which a queued generation fails: after a day nobody waits for it, and an hour is added for a queue
     * that is being emptied.
     */
    overdueAfterMs: dayMs + hourMs,
  },
}

export type NotifierTuning = Pick<typeof tuning, 'timeoutMs' | 'disableAfterMs' | 'concurrency' | 'unreadFiles'>

export type NotifierConfig = ReturnType<typeof readNotifierConfig>

export function readNotifierConfig(settings: SettingsReader) {
  const { dataDir, ...given } = settings.read(notifierSettings)
  const folder = join(dataDir, 'notifier')
  return {
    ...given,
    ...tuning,
    /** The database file of the view of due deliveries. */
    viewPath: join(folder, 'deliveries.db'),
    supervisor: { ...tuning.supervisor, folder },
  }
}
