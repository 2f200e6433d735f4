import type { SettingsReader } from '@platen/foundation/settings/config.ts'
import { hostToListenOn, publicUrl } from '@platen/foundation/settings/setting-forms.ts'
import { type AssetLimits, readAssetLimits } from './assets/asset-limits.ts'

export interface GatewayConfig {
  /** 0 binds a free port. */
  port: number
  host: string
  dataDir: string
  /** The base URL for clients. Default: the URL of the bound address. */
  publicUrl: string | undefined
  signingSecret: string
  /** A key to issue at start, with every scope. */
  apiKey: string | undefined
  /** Per owner; 0 means no limit. */
  rateLimitPerMinute: number
  /** The most asynchronous generations that may be queued or rendering. */
  maxQueued: number
  /** How long a synchronous request waits for its generation. */
  syncTimeoutMs: number
  /**
   * `POST /v1/generate` of one API key in progress while other keys send some. Default: no limit, as renderers share
   * their slots. It is set where the gateway shares its processors with the renderers.
   */
  requestsAtOnce?: number
  /** How long a signed file URL is valid. */
  fileUrlTtlS: number
  /** Accept webhook URLs on private and loopback addresses. */
  webhookAllowPrivate: boolean
  /** New work is refused below this free space; 0 for a part of the disk. */
  diskReserveMb: number
  /** Origins whose web pages may use the API; `*` for every one. */
  corsOrigins: readonly string[]
  /** Compress JSON responses. */
  compression: boolean
  /** Older generations are removed from the views; 0: never. */
  viewRetentionDays: number
  assets: AssetLimits
  /** Take the client's address from `X-Forwarded-*` headers. */
  trustProxy: boolean
}

const weekS = 7 * 24 * 3_600

export function readGatewayConfig(settings: SettingsReader): GatewayConfig {
  return {
    port: settings.integer('PORT', { default: 3000, min: 0, max: 65_535 }),
    host: settings.text('HOST', { default: '127.0.0.1', ...hostToListenOn }),
    dataDir: settings.text('DATA_DIR', { default: './data' }),
    publicUrl: settings.optionalText('PUBLIC_URL', publicUrl)?.replace(/\/+$/, ''),
    signingSecret: settings.text('SIGNING_SECRET', {
      pattern: /^.{32,}$/,
      hint: 'at least 32 characters',
      secret: true,
    }),
    apiKey: settings.optionalText('API_KEY', {
      pattern: /^[\x21-\x7e]{16,200}$/,
      hint: '16 to 200 printable ASCII characters without spaces',
      secret: true,
    }),
    rateLimitPerMinute: settings.integer('RATE_LIMIT_PER_MINUTE', { default: 0, min: 0, max: 1_000_000 }),
    maxQueued: settings.integer('MAX_QUEUED', { default: 20_000, min: 1, max: 10_000_000 }),
    syncTimeoutMs: settings.integer('SYNC_TIMEOUT_MS', { default: 30_000, min: 100, max: 300_000 }),
    fileUrlTtlS: settings.integer('FILE_URL_TTL_S', { default: weekS, min: 60, max: 365 * 24 * 3_600 }),
    webhookAllowPrivate: settings.flag('WEBHOOK_ALLOW_PRIVATE', { default: false }),
    diskReserveMb: settings.integer('DISK_RESERVE_MB', { default: 0, min: 0, max: 1_048_576 }),
    corsOrigins: (
      settings.optionalText('CORS_ORIGINS', {
        pattern: /^(\*|https?:\/\/[^\s/,]+(,\s*https?:\/\/[^\s/,]+)*)$/,
        hint: 'origins such as https://app.example.com, separated by commas, or *',
      }) ?? ''
    )
      .split(/,\s*/)
      .filter((origin) => origin !== ''),
    viewRetentionDays: settings.integer('VIEW_RETENTION_DAYS', { default: 0, min: 0, max: 36_500 }),
    compression: settings.flag('COMPRESSION', { default: true }),
    assets: readAssetLimits(settings),
    trustProxy: settings.flag('TRUST_PROXY', { default: false }),
  }
}
