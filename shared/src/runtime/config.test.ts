import t from 'tap'
import { ConfigError, misspeltSettings, readConfig, type SettingsReader } from './config.ts'

const settings = (s: SettingsReader) => ({
  port: s.integer('PORT', { default: 3000, min: 0, max: 65_535 }),
  debug: s.flag('DEBUG', { default: false }),
  egress: s.choice('EGRESS', { default: 'public', allowed: ['public', 'none'] }),
  url: s.text('URL', { pattern: /^https?:/, hint: 'an http URL' }),
})

t.test('the environment overrides the defaults', async (t) => {
  t.strictSame(readConfig({ URL: 'http://a' }, settings), {
    port: 3000,
    debug: false,
    egress: 'public',
    url: 'http://a',
  })
  t.strictSame(readConfig({ URL: 'http://a', PORT: ' 8080 ', DEBUG: 'true', EGRESS: 'none' }, settings), {
    port: 8080,
    debug: true,
    egress: 'none',
    url: 'http://a',
  })
  t.equal(readConfig({ URL: 'http://a', PORT: '' }, settings).port, 3000, 'empty counts as not set')
})

t.test('every invalid setting is reported', async (t) => {
  try {
    readConfig({ PORT: '70000', DEBUG: 'yes', EGRESS: 'all' }, settings)
    t.fail('was accepted')
  } catch (err) {
    t.ok(err instanceof ConfigError)
    t.strictSame((err as ConfigError).problems, [
      'PORT must be an integer from 0 to 65535, not "70000"',
      'DEBUG must be true or false, not "yes"',
      'EGRESS must be one of public, none, not "all"',
      'URL must be set: an http URL',
    ])
  }
})

t.test('a setting that is read twice is reported once', async (t) => {
  const twice = (s: SettingsReader) => [settings(s), s.integer('PORT', { default: 1, min: 1, max: 9 })]
  t.throws(
    () => readConfig({ URL: 'http://a', PORT: 'x' }, twice),
    new ConfigError(['PORT must be an integer from 0 to 65535, not "x"']),
  )
})

t.test('a variable whose name is nearly that of a setting is reported, with the setting', async (t) => {
  readConfig({ SIGNING_SECRET: 'a' }, (s) => ({
    secret: s.text('SIGNING_SECRET'),
    cert: s.optionalText('NATS_CERT'),
    port: s.integer('HTTP_PORT', { default: 3000, min: 0, max: 65_535 }),
  }))
  t.strictSame(misspeltSettings({ SINGING_SECRET: 'a', SIGNING_SECRET: '', http_port: '1' }), [
    { name: 'SINGING_SECRET', meant: 'SIGNING_SECRET' },
    { name: 'http_port', meant: 'HTTP_PORT' },
  ])
  const others = {
    NATS_PORT: 'tcp://10.0.0.1:4222',
    PATH: '/bin',
    HOME: '/',
    HTTP_PROXY: '',
    SIGNING_SECRETS_OF_US: 'a',
  }
  t.strictSame(misspeltSettings(others), [], 'names of other programs')
  t.strictSame(misspeltSettings({ SIGNING_SECRET: 'a', SIGNING_SECRE: 'b' }), [], 'the setting itself is there')
})
