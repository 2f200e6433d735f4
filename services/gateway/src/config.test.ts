import { ConfigError, readConfig } from '@platen/foundation/settings/config.ts'
import t from 'tap'
import { readGatewayConfig } from './config.ts'

const secret = { SIGNING_SECRET: 'x'.repeat(32) }

t.test('defaults apply to settings that are not given', async (t) => {
  t.same(readConfig(secret, readGatewayConfig), {
    port: 3000,
    host: '127.0.0.1',
    dataDir: './data',
    publicUrl: undefined,
    signingSecret: secret.SIGNING_SECRET,
    apiKey: undefined,
    rateLimitPerMinute: 0,
    maxQueued: 20_000,
    syncTimeoutMs: 35_000,
    fileUrlTtlS: 604_800,
    webhookAllowPrivate: false,
    corsOrigins: [],
    viewRetentionDays: 0,
    retainInputDays: 0,
    retainInputMaxDays: 30,
    trustProxy: false,
    docs: 'on',
    studio: 'on',
    sessionTtlS: 43_200,
    gotenbergPort: undefined,
    gotenbergAuth: 'key',
    gotenbergHosts: [],
    gotenbergFlags: {
      rootPath: '/',
      traceHeader: 'Gotenberg-Trace',
      downloads: true,
      chromiumRoutes: true,
      pdfRoutes: true,
      scripts: true,
      webhooks: 'async',
      metrics: { namespace: 'gotenberg', path: '/prometheus/metrics' },
    },
    assets: { bytes: 5 * 2 ** 20, count: 1_000, totalBytes: 500 * 2 ** 20, references: 3_000 },
  })
})

t.test('requests without credentials need the key that they are made with', async (t) => {
  const open = { ...secret, GOTENBERG_PORT: '3001', GOTENBERG_AUTH: 'none' }
  t.throws(() => readConfig(open, readGatewayConfig), { message: 'GOTENBERG_AUTH must be "key" unless API_KEY is set' })
  t.match(readConfig({ ...open, API_KEY: '0123456789abcdef' }, readGatewayConfig), { gotenbergAuth: 'none' })
})

t.test('a slash at the end of PUBLIC_URL is removed', async (t) => {
  const { publicUrl } = readConfig({ ...secret, PUBLIC_URL: 'https://pdf.example.com/api/' }, readGatewayConfig)
  t.equal(publicUrl, 'https://pdf.example.com/api')
})

t.test('each invalid setting is reported on its own line', async (t) => {
  const invalid = {
    PORT: '70000',
    SIGNING_SECRET: 'short',
    API_KEY: 'too short',
    PUBLIC_URL: 'pdf.example.com',
    RATE_LIMIT_PER_MINUTE: '-1',
    MAX_QUEUED: '0',
    WEBHOOK_ALLOW_PRIVATE: 'yes',
    TRUST_PROXY: '1',
    SYNC_TIMEOUT_MS: 'x',
  }
  try {
    readConfig(invalid, readGatewayConfig)
    t.fail('the settings were accepted')
  } catch (err) {
    if (!(err instanceof ConfigError)) throw err
    t.same(err.problems.map((problem) => problem.split(' ')[0]).sort(), Object.keys(invalid).sort())
  }
})
