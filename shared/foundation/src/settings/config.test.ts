import t from 'tap'
import { ConfigError, readConfig, type SettingsReader } from './config.ts'

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

t.test('quotes around a value are refused, unless they may be part of a secret', async (t) => {
  const texts = (s: SettingsReader) => [
    s.optionalText('HOST'),
    s.integer('PORT', { default: 1, min: 1, max: 9 }),
    s.optionalText('STORE', { secret: true, pattern: /^file:/, hint: 'file:<path>' }),
    s.optionalText('PASSWORD', { secret: true }),
  ]
  const env = { HOST: '"localhost"', PORT: "'3'", STORE: "'file:/a'", PASSWORD: '"a"' }
  const problems = [
    'HOST must be given without quotes, not "localhost"',
    `PORT must be an integer from 1 to 9, not "'3'"`,
    'STORE must be file:<path>, without quotes',
  ]
  t.throws(() => readConfig(env, texts), new ConfigError(problems))
  t.strictSame(
    readConfig({ HOST: ' a"b\r\n', PORT: '3\r' }, texts).slice(0, 2),
    ['a"b', 3],
    'spaces and CRLF are removed',
  )
})

t.test('a limit that another setting has is named with it', async (t) => {
  const read = (s: SettingsReader) => s.integer('TOTAL', { default: 9, min: 5, max: 9, minOf: 'EACH' })
  t.throws(
    () => readConfig({ TOTAL: '4' }, read),
    new ConfigError(['TOTAL must be an integer from 5 (EACH) to 9, not "4"']),
  )
})
