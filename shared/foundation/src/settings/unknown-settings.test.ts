import t from 'tap'
import { describeUnknown, unknownSettings } from './unknown-settings.ts'

t.test('a variable whose name is nearly that of a setting is reported, with the setting', async (t) => {
  t.strictSame(unknownSettings({ SINGING_SECRET: 'a', SIGNING_SECRET: '', nats_url: '1', RENDER_SLOT: '2' }), [
    { name: 'SINGING_SECRET', meant: 'SIGNING_SECRET' },
    { name: 'nats_url', meant: 'NATS_URL' },
    { name: 'RENDER_SLOT', meant: 'RENDER_SLOTS' },
  ])
  t.strictSame(unknownSettings({ SIGNING_SECRET: 'a', SIGNING_SECRE: 'b' }), [], 'the setting itself is there')
})

t.test('a variable that begins like a setting is reported', async (t) => {
  t.strictSame(unknownSettings({ WEBHOOK_RETRIES: '3', RENDER_TIMEOUT: '1', OBJECT_STORE_BUCKET: '' }), [
    { name: 'WEBHOOK_RETRIES' },
    { name: 'RENDER_TIMEOUT' },
  ])
  t.equal(describeUnknown({ name: 'WEBHOOK_RETRIES' }), 'WEBHOOK_RETRIES is not a setting and is ignored')
})

t.test('variables of other programs are not reported', async (t) => {
  const others = {
    PATH: '/bin',
    HOME: '/',
    HOSTNAME: 'a',
    HTTP_PROXY: 'b',
    NATS_PORT: 'tcp://10.0.0.1:4222',
    NATS_PORT_4222_TCP_ADDR: '10.0.0.1',
    RENDER_SERVICE_PORT_HTTP: '80',
    RENDER_PORT: 'tcp://10.0.0.2:80',
    SIGNING_SECRETS_OF_US: 'a',
  }
  t.strictSame(unknownSettings(others), [])
})
