import type { SettingsReader } from '@platen/shared/runtime/config.ts'

export interface GatewayConfig {
  /** 0 takes any free one. */
  port: number
  host: string
  dataDir: string
  /** Where clients reach us; absent: the address that was bound. */
  publicUrl: string | undefined
  signingSecret: string
  /** Issued at start with every scope. */
  apiKey: string | undefined
  /** For each API key; 0 is no limit. */
  rateLimitPerMinute: number
  /** Asynchronous generations that may wait at a time. */
  maxQueued: number
  /** How long a synchronous generation is waited for. */
  syncTimeoutMs: number
  /** How long the signed address of a file is good. */
  fileUrlTtlS: number
  webhookAllowPrivate: boolean
  trustProxy: boolean
}

const weekS = 7 * 24 * 3_600

export function readGatewayConfig(settings: SettingsReader): GatewayConfig {
  return {
    port: settings.integer('PORT', { default: 3000, min: 0, max: 65_535 }),
    host: settings.text('HOST', { default: '127.0.0.1' }),
    dataDir: settings.text('DATA_DIR', { default: './data' }),
    publicUrl: settings
      .optionalText('PUBLIC_URL', { pattern: /^https?:\/\/[^\s/?#@]+[^\s?#]*$/, hint: 'an http or https address' })
      ?.replace(/\/+$/, ''),
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
    trustProxy: settings.flag('TRUST_PROXY', { default: false }),
  }
}
