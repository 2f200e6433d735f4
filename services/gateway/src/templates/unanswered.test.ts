import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { openBus } from '@platen/messaging/connection/bus.ts'
import {
  apiKey,
  callGateway,
  eventually,
  startTestGateway,
  testConfig,
} from '@platen/test-support/gateway/test-gateway.ts'
import t from 'tap'
import { startGateway } from '../start.ts'

const gateway = await startTestGateway()
t.teardown(() => gateway[Symbol.asyncDispose]())
const { call, services, startTemplateService, stopTemplateService } = gateway

const create = (body: object) => call('POST', '/v1/templates', { body })
const withKey = (key: string) => ({ 'idempotency-key': key })
const slugs = async () =>
  (await call('GET', '/v1/templates')).body.data.map(({ slug }: { slug: string }) => slug).sort()
const areQueued = (count: number) =>
  eventually(async () => {
    const { messages } = (await services.bus.jsm.streams.info('COMMANDS')).state
    if (messages !== count) throw new Error(`${messages} commands are queued, not ${count}`)
  })

t.test('a POST that is repeated with its Idempotency-Key after a disconnect creates one template', async (t) => {
  await stopTemplateService()
  const body = { name: 'Repeated', html: 'x' }
  const client = new AbortController()
  const impatient = fetch(`${gateway.url}/v1/templates`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', ...withKey('left') },
    body: JSON.stringify(body),
    signal: client.signal,
  })
  const left = t.rejects(impatient)
  await areQueued(1)
  client.abort()
  await left
  const repeated = call('POST', '/v1/templates', { body, headers: withKey('left') })
  await startTemplateService()
  t.match(await repeated, { status: 201, body: { slug: 'repeated', version: 1 } })
  t.match(await create(body), { status: 201, body: { slug: 'repeated-2' } }, 'without the key, another is created')
})

t.test(
  'a POST that is repeated with its Idempotency-Key at another gateway creates one template if the first was killed',
  async (t) => {
    const bus = await openBus({ url: gateway.nats.url }, 'killed', services.log)
    const config = { ...testConfig, dataDir: join(gateway.dataDir, 'killed') }
    const killed = await startGateway(config, { ...services, bus })
    t.teardown(() => killed[Symbol.asyncDispose]())
    await stopTemplateService()
    const body = { name: 'Killed', html: 'x' }
    const sent = { body, headers: withKey('killed') }
    const unanswered = callGateway(killed.url, 'POST', '/v1/templates', sent).catch(() => {})
    await areQueued(1)
    // The entry stays as it is, as after kill -9.
    await bus[Symbol.asyncDispose]()
    const repeated = call('POST', '/v1/templates', sent)
    await areQueued(2)
    await startTemplateService()
    t.match(await repeated, { status: 201, body: { slug: 'killed', version: 1 } })
    t.notOk((await slugs()).includes('killed-2'))
    await unanswered
  },
)

t.test('a command that has failed is not executed later', async (t) => {
  const { id } = (await create({ name: 'Zombie', html: 'v1' })).body
  await stopTemplateService()
  const body = { name: 'Late', html: 'x' }
  const failed = [create(body), call('PATCH', `/v1/templates/${id}`, { body: { html: 'zombie' } })]
  for (const answer of await Promise.all(failed)) {
    t.match(answer, { status: 503, body: { error: { code: 'SERVICE_UNAVAILABLE' } } })
  }
  const edit = call('PATCH', `/v1/templates/${id}`, { body: { html: 'later' } })
  await delay(100)
  await startTemplateService()
  t.match(await edit, { status: 200, body: { html: 'later', version: 2 } })
  await areQueued(0)
  t.match((await call('GET', `/v1/templates/${id}`)).body, { html: 'later', version: 2 })
  t.notOk((await slugs()).includes('late'))
  t.match(await create(body), { status: 201, body: { slug: 'late' } })
  t.match(await create(body), { status: 201, body: { slug: 'late-2' } })
})
