import t from 'tap'
import { ConfigError, readConfig, type SettingsReader, settingsReadBy } from './config.ts'
import { choice, flag, integer, mapped, optional, optionalText, requiredText, text, withDefault } from './setting.ts'

const meaning = 'of this test'
const httpUrl = { pattern: /^https?:/, hint: 'an http URL', right: ['http://a'], wrong: ['a'] }
const declared = {
  port: integer('PORT', { default: 3000, min: 0, max: 65_535, meaning }),
  debug: flag('DEBUG', { default: false, meaning }),
  egress: choice('EGRESS', { default: 'public', allowed: ['public', 'none'], meaning }),
  url: requiredText('URL', { form: httpUrl, meaning }),
}
const settings = (s: SettingsReader) => s.read(declared)

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
  const port = integer('PORT', { default: 1, min: 1, max: 9, meaning })
  const twice = (s: SettingsReader) => [settings(s), s.read({ port })]
  t.throws(
    () => readConfig({ URL: 'http://a', PORT: 'x' }, twice),
    new ConfigError(['PORT must be an integer from 0 to 65535, not "x"']),
  )
})

t.test('quotes around a value are refused, unless they may be part of a secret', async (t) => {
  const form = { pattern: /^file:/, hint: 'file:<path>', right: ['file:/a'], wrong: ['/a'] }
  const texts = (s: SettingsReader) =>
    s.read({
      host: optionalText('HOST', { meaning }),
      port: integer('PORT', { default: 1, min: 1, max: 9, meaning }),
      store: optionalText('STORE', { secret: true, form, meaning }),
      password: optionalText('PASSWORD', { secret: true, meaning }),
    })
  const env = { HOST: '"localhost"', PORT: "'3'", STORE: "'file:/a'", PASSWORD: '"a"' }
  const problems = [
    'HOST must be given without quotes, not "localhost"',
    `PORT must be an integer from 1 to 9, not "'3'"`,
    'STORE must be file:<path>, without quotes',
  ]
  t.throws(() => readConfig(env, texts), new ConfigError(problems))
  const { host, port } = readConfig({ HOST: ' a"b\r\n', PORT: '3\r' }, texts)
  t.strictSame([host, port], ['a"b', 3], 'spaces and CRLF are removed')
})

t.test('a process may have a setting of others with another default, or do without it', async (t) => {
  const { url } = declared
  const read = (env: Record<string, string>) =>
    readConfig(env, (s) => s.read({ given: withDefault(url, 'http://here'), found: optional(url) }))
  t.strictSame(read({}), { given: 'http://here', found: undefined })
  t.strictSame(read({ URL: 'http://a' }), { given: 'http://a', found: 'http://a' })
  t.throws(() => read({ URL: 'a' }), new ConfigError(['URL must be an http URL, not "a"']))
})

t.test('a value is mapped, and so is the default', async (t) => {
  const list = mapped(text('LIST', { default: 'a', meaning }), (value) => value.split(','))
  t.strictSame(
    readConfig({}, (s) => s.read({ list })),
    { list: ['a'] },
  )
  t.strictSame(
    readConfig({ LIST: 'a,b' }, (s) => s.read({ list })),
    { list: ['a', 'b'] },
  )
})

t.test('a value that does not fit to another one is reported once, by the name of its setting', async (t) => {
  const read = (s: SettingsReader) => {
    settings(s)
    s.refuse(declared.port, 'must be set: DEBUG is set')
    s.refuse(declared.port, 'must be another one')
  }
  t.throws(() => readConfig({ URL: 'http://a' }, read), new ConfigError(['PORT must be set: DEBUG is set']))
})

t.test('what a function reads is listed, with the declarations', async (t) => {
  const { port, debug, egress, url } = declared
  t.strictSame([...settingsReadBy(settings).values()], [port, debug, egress, url])
})
