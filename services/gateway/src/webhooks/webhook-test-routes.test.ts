import { webhookTestSubject } from '@platen/domain/delivery/webhook-test.ts'
import { createOwner } from '@platen/domain/owner/owners.ts'
import { newId } from '@platen/foundation/runtime/ids.ts'
import { startTestGateway, testConfig } from '@platen/test-support/gateway/test-gateway.ts'
import { type Received, startReceiver } from '@platen/test-support/notifier/receiver.ts'
import { Webhook } from 'standardwebhooks'
import t, { type Test } from 'tap'

async function start(t: Test, { allowPrivate = true } = {}) {
  const gateway = await startTestGateway({ webhookAllowPrivate: allowPrivate })
  t.teardown(() => gateway[Symbol.asyncDispose]())
  const notifier = await gateway.startNotifier({ signingSecret: testConfig.signingSecret, allowPrivate })
  t.teardown(() => notifier[Symbol.asyncDispose]())
  const receiver = await startReceiver((response, _, { path }) => {
    if (path === '/moved') response.writeHead(302, { location: '/elsewhere' }).end()
    else if (path === '/silent') response.destroy()
    else response.writeHead(path === '/broken' ? 500 : 200).end('x'.repeat(3_000))
  })
  t.teardown(() => receiver[Symbol.asyncDispose]())
  const test = (path: string, more: object = {}, call: object = {}) =>
    gateway.call('POST', '/v1/webhooks/test', { body: { webhook_url: receiver.url(path), ...more }, ...call })
  return { gateway, receiver, test }
}

const verify = (secret: string, { headers, body }: Received) =>
  new Webhook(secret).verify(body, headers as Record<string, string>) as { type: string; data: Record<string, unknown> }

t.test('an example of each webhook is sent, and what came back is answered', async (t) => {
  const { gateway, receiver, test } = await start(t)
  const acme = await createOwner(gateway.services.store, 'Acme')
  const key = await gateway.issueKeyOf(acme, 'generate', 'generations:read')
  const { body: own } = await gateway.call('GET', '/v1/webhook-secret', { key })
  const { body: others } = await gateway.call('GET', '/v1/webhook-secret')
  for (const type of ['generation.completed', 'generation.failed', 'generation.cancelled']) {
    const path = `/${type}`
    const { status, body } = await test(path, { type }, { key })
    t.match({ status, body }, { status: 200, body: { id: /^msg_/, status: 200, duration_ms: Number } })
    t.equal(body.response, 'x'.repeat(1_024), 'the first KiB')
    const [call] = receiver.on(path)
    if (!call) return t.fail('nothing was received')
    t.equal(call.headers['webhook-id'], body.id)
    t.match(verify(own.secret, call), { type, data: { metadata: { test: 'true' }, status: type.split('.')[1] } })
    t.throws(() => verify(others.secret, call), 'it is not signed for another owner')
  }
  t.match((await test('/broken')).body, { status: 500, response: String })
  t.match((await test('/moved')).body, { status: 302 }, 'a redirect is not followed')
  t.match((await test('/silent')).body, { error: 'the connection was closed without a response' })
  t.same(receiver.on('/elsewhere'), [])
  const recorded: string[] = []
  const categories = ['delivery', 'endpoint', 'generation']
  for await (const { type } of gateway.services.store.readLog({ after: 'start', categories })) recorded.push(type)
  t.same(recorded, [], 'nothing is recorded')
})

t.test('a key needs the scope generate, and only an admin tests for another owner', async (t) => {
  const { gateway, receiver, test } = await start(t)
  const reader = await gateway.issueKey('generations:read', 'templates:write')
  t.match(await test('/a', {}, { key: reader }), { status: 403, body: { error: { code: 'FORBIDDEN' } } })
  const acme = await createOwner(gateway.services.store, 'Acme')
  const key = await gateway.issueKey('generate')
  const body = { webhook_url: receiver.url('/a') }
  t.equal((await gateway.call('POST', `/v1/webhooks/test?owner=${acme}`, { key, body })).status, 403)
  t.same(receiver.received, [])
  t.equal((await gateway.call('POST', `/v1/webhooks/test?owner=${acme}`, { body })).status, 200)
})

t.test('an owner sends ten a minute, and others are not held up', async (t) => {
  const { gateway, receiver, test } = await start(t)
  for (let sent = 0; sent < 10; sent++) t.equal((await test('/a')).status, 200)
  const { status, body, headers } = await test('/a')
  t.match({ status, body }, { status: 429, body: { error: { code: 'RATE_LIMITED' } } })
  t.match(headers.get('retry-after'), /^\d+$/)
  t.equal(receiver.received.length, 10)
  const acme = await createOwner(gateway.services.store, 'Acme')
  t.equal((await test('/a', {}, { key: await gateway.issueKeyOf(acme, 'generate') })).status, 200)
})

const privateHosts = ['127.0.0.1', 'localhost', '[::1]', '0x7f.1', '2130706433', '[::ffff:127.0.0.1]', '0.0.0.0']

t.test('nothing is sent to private addresses, at the gateway and again at the notifier', async (t) => {
  const { gateway, receiver, test } = await start(t, { allowPrivate: false })
  const urls = privateHosts.map((host) => receiver.url('/a', host))
  for (const webhook_url of [
    ...urls.slice(0, 5),
    'http://169.254.169.254/',
    'http://10.0.0.1/',
    'ftp://example.com/',
  ]) {
    const { status, body } = await test('', { webhook_url })
    t.match({ status, body }, { status: 422, body: { error: { code: 'WEBHOOK_URL_FORBIDDEN' } } }, webhook_url)
  }
  // As when the name has another address by now: the gateway has seen a public one.
  for (const webhook_url of [...urls, 'http://169.254.169.254/', 'http://10.0.0.1/', 'http://me:pw@127.0.0.1/']) {
    const { delivery_id, owner_id } = { delivery_id: newId('msg'), owner_id: 'own_default' }
    const request = { delivery_id, owner_id, webhook_url, type: 'generation.completed' }
    const answer = await gateway.services.bus.nats.request(webhookTestSubject, JSON.stringify(request), {
      timeout: 20_000,
    })
    t.match(answer.json(), { error: 'the host is unknown or not public' }, webhook_url)
  }
  t.same(receiver.received, [])
})

t.test('without a notifier the answer is a 503 at once', async (t) => {
  await using gateway = await startTestGateway({ webhookAllowPrivate: true })
  const body = { webhook_url: 'http://127.0.0.1:9999/' }
  t.match(await gateway.call('POST', '/v1/webhooks/test', { body }), {
    status: 503,
    body: { error: { code: 'SERVICE_UNAVAILABLE' } },
  })
})
