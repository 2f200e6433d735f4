import t from 'tap'
import { readNatsChildConfig } from '../../deploy/single-node/src/config.ts'
import { problemsWith, services, settingsOf } from '../../deploy/testing/service-settings.ts'
import { allSettings } from '../../scripts/all-settings.ts'
import { refusal, rightValues, wrongValues } from './wrong-values.ts'

const valid = {
  NATS_URL: 'nats://127.0.0.1:4222',
  EVENT_STORE_URL: 'sqlite:events.db',
  OBJECT_STORE_URL: 'file:/tmp/objects',
  SIGNING_SECRET: 'x'.repeat(32),
  PUBLIC_URL: 'https://pdf.example.com',
}
/** A setting that another one needs. */
const needed: Readonly<Record<string, Record<string, string>>> = {
  NATS_CERT: { NATS_KEY: 'a' },
  NATS_KEY: { NATS_CERT: 'a' },
  ASSET_MAX_MB: { ASSET_TOTAL_MB: '1000' },
  RETAIN_INPUT_DAYS: { RETAIN_INPUT_MAX_DAYS: '365' },
}

const ours = allSettings.filter(({ setting }) => !setting.standard)

/** Each setting is a question to every operator. */
const mostSettings = 58

t.test('there are few settings, and each has right and wrong values', async (t) => {
  const count = ours.length
  t.ok(count <= mostSettings, `${count} settings: make it a constant, with a comment where its number comes from`)
  for (const { setting } of ours) {
    const { name, form } = setting
    if (form.kind !== 'text' || !form.secret || form.form) t.ok(wrongValues(setting).length > 0, name)
    t.ok(rightValues(setting).length > 0, name)
  }
})

t.test('each service refuses each wrong value with one sentence that names the setting', async (t) => {
  let count = 0
  for (const { setting, readBy } of ours) {
    const { name, form } = setting
    for (const value of wrongValues(setting)) {
      for (const service of readBy) {
        const problems = problemsWith(service, { ...valid, ...needed[name], [name]: value })
        const what = `${service}: ${name}=${value}`
        if (problems.length !== 1) t.fail(what, { problems })
        if (!problems[0]?.startsWith(`${name} ${refusal(form)}`)) t.fail(what, { problems })
        if (/[\n\r]/.test(problems[0] ?? '')) t.fail(what, { problems })
        count++
      }
      if (['NATS_PORT', 'NATS_SERVER_PATH', 'NATS_URL'].includes(name))
        t.throws(() => readNatsChildConfig({ [name]: value }), { message: new RegExp(`^${name} must be `) }, value)
    }
  }
  t.ok(count > 400, `only ${count} wrong values`)
})

t.test('each service accepts each right value', async (t) => {
  for (const { setting, readBy } of ours) {
    const { name } = setting
    for (const value of rightValues(setting)) {
      for (const service of readBy) {
        const problems = problemsWith(service, { ...valid, ...needed[name], [name]: value })
        if (problems.length > 0) t.fail(`${service}: ${name}=${value}`, { problems })
      }
    }
  }
  t.same(
    services.flatMap((service) => problemsWith(service, valid)),
    [],
  )
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
