import { knownSettings } from '@platen/foundation/settings/known-settings.ts'
import t from 'tap'
import { readNatsChildConfig } from '../../deploy/single-node/src/config.ts'
import { problemsWith, services, settingsOf } from '../../deploy/testing/service-settings.ts'
import { documentedSettings } from './documented-settings.ts'
import { freeTexts, wrongValues } from './wrong-values.ts'

/** Read by `npm start` or by the command line only. */
const ofNoService = ['NATS_PORT', 'NATS_SERVER_PATH', 'EVENT_STORE_USER_PASSWORD']
const ofOpenTelemetry = (name: string) => name.startsWith('OTEL_')

const valid = {
  NATS_URL: 'nats://127.0.0.1:4222',
  EVENT_STORE_URL: 'sqlite:events.db',
  OBJECT_STORE_URL: 'file:/tmp/objects',
  SIGNING_SECRET: 'x'.repeat(32),
  PUBLIC_URL: 'https://pdf.example.com',
}

const readBySomeService = new Set(services.flatMap((service) => [...settingsOf(service)]))

t.test('every setting is documented, known by its name, and has wrong values in this test', async (t) => {
  readBySomeService.delete('PATH')
  const documented = [...documentedSettings()].filter((name) => !ofOpenTelemetry(name)).sort()
  const read = [...readBySomeService, ...ofNoService.slice(0, 2)].sort()
  t.strictSame(documented, read)
  t.strictSame(knownSettings.filter((name) => !ofOpenTelemetry(name)).sort(), [...read, ...ofNoService.slice(2)].sort())
  t.strictSame([...Object.keys(wrongValues), ...freeTexts].sort(), read)
  t.equal(new Set(knownSettings).size, knownSettings.length)
})

t.test('each service refuses each wrong value with one sentence that names the setting', async (t) => {
  let count = 0
  for (const service of services) {
    t.strictSame(problemsWith(service, valid), [], service)
    for (const name of settingsOf(service)) {
      for (const value of wrongValues[name] ?? []) {
        const problems = problemsWith(service, { ...valid, [name]: value })
        const what = `${service}: ${name}=${value}`
        if (problems.length !== 1) t.fail(what, { problems })
        if (!problems[0]?.startsWith(`${name} must be `)) t.fail(what, { problems })
        if (/[\n\r]/.test(problems[0] ?? '')) t.fail(what, { problems })
        count++
      }
    }
  }
  for (const name of ['NATS_PORT', 'NATS_SERVER_PATH', 'NATS_URL']) {
    for (const value of wrongValues[name] ?? [])
      t.throws(() => readNatsChildConfig({ [name]: value }), { message: new RegExp(`^${name} must be `) }, value)
  }
  t.ok(count > 500, `only ${count} wrong values`)
})

t.test('a required setting that is missing, empty or blank is named', async (t) => {
  for (const service of services) {
    for (const name of Object.keys(valid)) {
      if (!settingsOf(service).has(name)) continue
      // The gateway finds its own URL out.
      if (name === 'PUBLIC_URL' && service !== 'notifier') continue
      for (const value of [undefined, '', ' ', '\r', '\t\n'])
        t.match(problemsWith(service, { ...valid, [name]: value }), [new RegExp(`^${name} must be set`)], service)
    }
  }
})

t.test('spaces and line ends around a value are ignored, for every setting', async (t) => {
  const spaced = Object.fromEntries(Object.entries(valid).map(([name, value]) => [name, ` ${value} \r`]))
  const more = { RENDER_SLOTS: '2\r', TRUST_PROXY: ' true', LOG_LEVEL: 'warn\r\n', CORS_ORIGINS: ' * ', PORT: '\t0 ' }
  for (const service of services) t.strictSame(problemsWith(service, { ...spaced, ...more }), [], service)
})

t.test('a setting of quotes is named, unless it is a secret', async (t) => {
  for (const name of freeTexts) {
    const readers = services.filter((service) => settingsOf(service).has(name))
    t.ok(readers.length > 0, name)
    const isSecret = /PASSWORD|TOKEN|SECRET_KEY/.test(name)
    for (const service of readers) {
      const problems = problemsWith(service, { ...valid, NATS_USER: 'a', NATS_CERT: 'b', NATS_KEY: 'c', [name]: '"d"' })
      t.match(problems, isSecret ? [] : [`${name} must be given without quotes, not "d"`], `${service} ${name}`)
      t.equal(problems.length, isSecret ? 0 : 1)
    }
  }
})
