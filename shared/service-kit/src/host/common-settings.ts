import { logLevels } from '@platen/foundation/runtime/logger.ts'
import { choice, flag, integer, mapped, optionalText, requiredText, text } from '@platen/foundation/settings/setting.ts'
import { hostToListenOnForm, publicUrlForm } from '@platen/foundation/settings/setting-forms.ts'

/** The settings that several services have, or a service and the command line. */

export const logLevel = choice('LOG_LEVEL', {
  default: 'info',
  allowed: logLevels,
  meaning: '`trace`, `debug`, `info`, `warn`, `error`, `fatal` or `silent`',
  setFirst: true,
})

export const dataDir = text('DATA_DIR', {
  default: './data',
  meaning: 'folder of all data: events, queue, PDF files, views. In processes of their own: of the views',
  setFirst: true,
})

/** The public URL, without a slash at its end. */
export const publicUrl = mapped(
  optionalText('PUBLIC_URL', {
    form: publicUrlForm,
    meaning: 'the URL at which clients reach Platen; file and poll URLs begin with it. The notifier requires it',
    shownDefault: '`http://HOST:PORT`',
    setFirst: true,
  }),
  (url) => url?.replace(/\/+$/, ''),
)

export const signingSecret = requiredText('SIGNING_SECRET', {
  form: {
    pattern: /^.{32,}$/,
    hint: 'at least 32 characters',
    right: ['0123456789abcdef0123456789abcdef', '"0123456789abcdef0123456789abcdef"'],
    wrong: ['short', '"short"'],
  },
  secret: true,
  meaning: 'signs file URLs; webhook secrets are derived from it. The same for all services',
  setFirst: 'created at the first start',
})

export const fileUrlTtlS = integer('FILE_URL_TTL_S', {
  default: 7 * 24 * 3_600,
  min: 60,
  max: 365 * 24 * 3_600,
  meaning: 'how long a signed file URL is valid, in seconds',
})

export const webhookAllowPrivate = flag('WEBHOOK_ALLOW_PRIVATE', {
  default: false,
  meaning: 'allow receivers on private and loopback addresses; for development only',
})

export const ownHelpers = mapped(
  choice('OWN_HELPERS', {
    default: 'off',
    allowed: ['on', 'off'],
    meaning:
      '`on`: templates may have [helpers of their own](../guides/own-helpers.md), which are scripts in an isolate',
  }),
  (chosen) => chosen === 'on',
)

export const host = text('HOST', {
  default: '127.0.0.1',
  form: hostToListenOnForm,
  meaning: 'the address to listen on, with `PORT` and `ADMIN_PORT`',
  setFirst: true,
})

/** Each is a subscription to the whole log, and a lease. */
export const mostPartitions = 16

/** Of the services that publish events. */
export const relayPartitions = integer('RELAY_PARTITIONS', {
  default: undefined,
  min: 1,
  max: mostPartitions,
  shownDefault: 'as before; `1` at first',
  meaning: 'parts of a [relay](../operate/scale-out.md#publishing-of-events)',
})
