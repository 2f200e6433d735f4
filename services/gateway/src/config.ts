import { isIP } from 'node:net'
import { mostRetainDays } from '@platen/domain/document/retain-input.ts'
import type { SettingsReader } from '@platen/foundation/settings/config.ts'
import { choice, flag, integer, mapped, optionalText } from '@platen/foundation/settings/setting.ts'
import {
  dataDir,
  fileUrlTtlS,
  host,
  publicUrl,
  signingSecret,
  webhookAllowPrivate,
} from '@platen/service-kit/host/common-settings.ts'
import { readAssetLimits } from './assets/asset-limits.ts'
import { flagNames, parseFlags } from './gotenberg/flags.ts'
import type { SnapshotTimes } from './views/snapshots/run-snapshots.ts'

export const gatewaySettings = {
  /** 0 binds a free port. */
  port: integer('PORT', {
    default: 3000,
    min: 0,
    max: 65_535,
    meaning: 'where the gateway listens, on the address `HOST`',
    setFirst: true,
  }),
  host,
  dataDir,
  /** Default: the URL of the bound address. */
  publicUrl,
  signingSecret,
  /** A key to issue at start, with every scope. */
  apiKey: optionalText('API_KEY', {
    form: {
      pattern: /^[\x21-\x7e]{16,200}$/,
      hint: '16 to 200 printable ASCII characters without spaces',
      right: ['0123456789abcdef', 'pk_0123456789!"#$%&'],
      wrong: ['short', 'with a space in it, long enough', 'é'.repeat(20), 'a'.repeat(201)],
    },
    secret: true,
    meaning: 'your own API key, which is issued at start, at least 16 characters',
    setFirst: 'created at the first start',
  }),
  /** Per owner; 0 means no limit. */
  rateLimitPerMinute: integer('RATE_LIMIT_PER_MINUTE', {
    default: 0,
    min: 0,
    max: 1_000_000,
    shownDefault: '`0`: off',
    meaning: 'requests per owner; above it 429 with `RateLimit-*` headers',
  }),
  maxQueued: integer('MAX_QUEUED', {
    default: 20_000,
    min: 1,
    max: 10_000_000,
    meaning: 'queued asynchronous generations; above it 503 `QUEUE_FULL`. One owner may use nine tenths',
  }),
  // Longer than the time limit of a document, so that the answer has the reason for which a slow document failed.
  syncTimeoutMs: integer('SYNC_TIMEOUT_MS', {
    default: 35_000,
    min: 100,
    max: 300_000,
    meaning:
      'how long a synchronous request waits before it answers 504; a generation that is being rendered continues',
  }),
  fileUrlTtlS,
  webhookAllowPrivate,
  /** Origins whose web pages may use the API; `*` for every one. */
  corsOrigins: mapped(
    optionalText('CORS_ORIGINS', {
      form: {
        pattern: /^(\*|https?:\/\/[^\s/,]+(,\s*https?:\/\/[^\s/,]+)*)$/,
        hint: 'origins such as https://app.example.com, separated by commas, or *',
        right: ['*', 'https://app.example.com', 'http://a:3000, https://b'],
        wrong: [
          ...['app.example.com', 'https://a.example/path', 'https://a https://b', 'https://a,', '"https://a"'],
          '*,https://a',
        ],
      },
      meaning: 'origins whose web pages may use the API, separated by commas; `*` for every one',
    }),
    (origins): readonly string[] => origins?.split(/,\s*/) ?? [],
  ),
  /** Older generations are removed from the views; 0: never. */
  viewRetentionDays: integer('VIEW_RETENTION_DAYS', {
    default: 0,
    min: 0,
    max: 36_500,
    shownDefault: '`0`: forever',
    meaning: 'how long lists contain generations, see [What grows on disk](../operate/what-grows.md)',
  }),
  /** Of requests that do not say it, nor their template. */
  retainInputDays: integer('RETAIN_INPUT_DAYS', {
    default: 0,
    min: 0,
    max: mostRetainDays,
    shownDefault: '`0`: not',
    meaning:
      'how long [inputs are kept](../guides/retain-input.md) to render documents again, unless a request says it',
  }),
  retainInputMaxDays: integer('RETAIN_INPUT_MAX_DAYS', {
    default: 30,
    min: 0,
    max: mostRetainDays,
    meaning: 'the most days for which a request may have its input kept; 0: none is kept',
  }),
  docs: choice('DOCS', {
    default: 'on',
    allowed: ['on', 'off'],
    meaning: '`off`: nothing is served at `/docs`, see [The documentation on your own server](../operate/docs.md)',
  }),
  studio: choice('STUDIO', {
    default: 'on',
    allowed: ['on', 'off'],
    meaning: '`off`: nothing is served at `/studio`, and there are no sessions, see [The studio](../operate/studio.md)',
  }),
  sessionTtlS: integer('SESSION_TTL_S', {
    default: 43_200,
    min: 60,
    max: 2_592_000,
    shownDefault: '`43200`: 12 hours',
    meaning: 'how long a session of the studio is valid, in seconds',
  }),
  /** Undefined: clients of Gotenberg are not served. */
  gotenbergPort: integer('GOTENBERG_PORT', {
    default: undefined,
    min: 0,
    max: 65_535,
    shownDefault: 'none',
    meaning: 'where [clients of Gotenberg](../guides/gotenberg.md) are served, on the address `HOST`',
  }),
  gotenbergAuth: choice('GOTENBERG_AUTH', {
    default: 'key',
    allowed: ['key', 'none'],
    meaning: '`key`: clients of Gotenberg send an API key; `none`: those that send none use `API_KEY`',
  }),
  gotenbergHosts: mapped(
    optionalText('GOTENBERG_HOSTS', {
      form: {
        pattern: { test: (text) => text.split(/,\s*/).every(isHostName) },
        hint: 'names with a dot, such as gotenberg.example.com, without a scheme and a port, separated by commas',
        right: ['gotenberg.example.com', 'pdf.internal, gotenberg.pdf.svc.cluster.local', 'PDF_1.example.com'],
        wrong: [
          ...['http://a.example', 'a.example:3000', '*.example.com', 'a.example b.example', 'a.example,'],
          ...['"a.example"', 'gotenberg', '127.0.0.1', 'a..b'],
        ],
      },
      meaning:
        'with `GOTENBERG_AUTH=none`: [names with a dot](../guides/gotenberg.md) under which clients reach the port',
    }),
    (names): readonly string[] => names?.toLowerCase().split(/,\s*/) ?? [],
  ),
  gotenbergFlags: mapped(
    optionalText('GOTENBERG_FLAGS', {
      form: {
        pattern: { test: (text) => parseFlags(text) !== undefined },
        hint: `flags of Gotenberg, each once, of ${flagNames.map((name) => `--${name}`).join(', ')}`,
        right: ['--api-root-path=/pdf/', '--chromium-disable-javascript --webhook-disable=true'],
        wrong: ['--api-port=3000', 'api-root-path=/pdf/', '--api-root-path=pdf', '--webhook-disable=maybe'],
      },
      meaning: 'flags of Gotenberg for its clients, such as `--api-root-path=/pdf/`',
    }),
    (text) => parseFlags(text ?? '') ?? unreachable(),
  ),
  /** Take the client's address from `X-Forwarded-*` headers. */
  trustProxy: flag('TRUST_PROXY', {
    default: false,
    meaning: 'trust `X-Forwarded-*`; only behind your own proxy. Without it all clients behind one have one address',
  }),
}

/** Names without a dot and addresses are expected in any case. */
function isHostName(text: string): boolean {
  return /^[a-z0-9_-]+(\.[a-z0-9_-]+)+$/i.test(text) && isIP(text) === 0
}

function unreachable(): never {
  throw new Error('the form of GOTENBERG_FLAGS accepts flags that cannot be read')
}

/** Settings of tests and of `npm start` that no operator sets. */
export interface GatewayTuning {
  /**
   * The most `POST /v1/generate` requests of one API key in progress while other keys send some. Default: no limit, as
   * the render slots are shared fairly. Set where the gateway and the renderers share processors.
   */
  requestsAtOnce?: number
  /** New work is refused below this free space. Default: a part of the disk. */
  diskReserveMb?: number
  /** How long a connection without a request stays open during a shutdown. */
  idleGraceMs?: number
  /** When snapshots of the views are taken. Default: every hour, after 100,000 events; sooner after a million. */
  snapshotTimes?: SnapshotTimes
  /** Folder of the built documentation. Default: the one that images and `npm run docs` use. */
  siteFolder?: string
  /** Of the studio. Default: where the set-up and the images have it. */
  studioFolder?: string
}

export type GatewayConfig = ReturnType<typeof readGatewayConfig> & GatewayTuning

/** Added to the longest wait for a generation. */
const closeGraceMs = 2_000

/** How long open requests may go on in a shutdown, in ms. Then their connections are closed. */
export const longestRequestMs = ({ syncTimeoutMs }: Pick<GatewayConfig, 'syncTimeoutMs'>): number =>
  syncTimeoutMs + closeGraceMs

export function readGatewayConfig(settings: SettingsReader) {
  const values = settings.read(gatewaySettings)
  const { retainInputDays, retainInputMaxDays: most, gotenbergPort, gotenbergAuth, apiKey } = values
  if (gotenbergPort !== undefined && gotenbergAuth === 'none' && apiKey === undefined) {
    settings.refuse(gatewaySettings.gotenbergAuth, 'must be "key" unless API_KEY is set')
  }
  if (retainInputDays > most) {
    const must = `must be an integer from 0 to ${most} (RETAIN_INPUT_MAX_DAYS), not "${retainInputDays}"`
    settings.refuse(gatewaySettings.retainInputDays, must)
  }
  return { ...values, assets: readAssetLimits(settings) }
}
