import { ConfigError, readConfig } from '@platen/foundation/settings/config.ts'
import t from 'tap'
import { readNotifierConfig } from './config.ts'

const env = { SIGNING_SECRET: '0123456789abcdef0123456789abcdef', PUBLIC_URL: 'https://pdf.example.com' }

t.test('defaults apply to settings that are not given', async (t) => {
  const config = readConfig(env, readNotifierConfig)
  t.match(config, {
    fileUrlTtlS: 604_800,
    allowPrivate: false,
    timeoutMs: 15_000,
    viewPath: 'data/notifier/deliveries.db',
  })
  t.strictSame(config.concurrency, { total: 100, perHost: 5 })
  t.equal(config.scheduleMs.length, 10)
})

t.test('WEBHOOK_SCHEDULE is a list of seconds', async (t) => {
  const { scheduleMs } = readConfig({ ...env, WEBHOOK_SCHEDULE: '0, 0.25,60' }, readNotifierConfig)
  t.strictSame(scheduleMs, [0, 250, 60_000])
})

t.test('each invalid setting is reported on its own line, without secrets', async (t) => {
  const wrong = { SIGNING_SECRET: 'short', PUBLIC_URL: 'pdf.example.com', WEBHOOK_SCHEDULE: 'soon', DATA_DIR: '/tmp' }
  try {
    readConfig(wrong, readNotifierConfig)
    t.fail('the settings were accepted')
  } catch (err) {
    const problems = err instanceof ConfigError ? err.problems : []
    t.match(problems, [/^SIGNING_SECRET must be at least 32/, /^PUBLIC_URL must be /, /^WEBHOOK_SCHEDULE must be /])
    t.notMatch(problems.join(), 'short')
  }
})
