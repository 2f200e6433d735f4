import { setTimeout as delay } from 'node:timers/promises'
import { apiKey, eventually, startTestGateway } from '@platen/test-support/gateway/test-gateway.ts'
import t from 'tap'

const gateway = await startTestGateway()
t.teardown(() => gateway[Symbol.asyncDispose]())
const { call, services, startTemplateService, stopTemplateService } = gateway

const create = (body: object) => call('POST', '/v1/templates', { body })
const slugs = async () =>
  (await call('GET', '/v1/templates')).body.data.map(({ slug }: { slug: string }) => slug).sort()
const areQueued = (count: number) =>
  eventually(async () => {
    const { messages } = (await services.bus.jsm.streams.info('COMMANDS')).state
    if (messages !== count) throw new Error(`${messages} commands are queued, not ${count}`)
  })

t.test('a POST that is repeated after a disconnect creates one template', async (t) => {
  await stopTemplateService()
  const body = { name: 'Repeated', html: 'x' }
  const client = new AbortController()
  const impatient = fetch(`${gateway.url}/v1/templates`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: client.signal,
  })
  const left = t.rejects(impatient)
  await areQueued(1)
  client.abort()
  await left
  const repeated = create(body)
  // The first command can still be executed.
  await areQueued(2)
  await startTemplateService()
  t.match(await repeated, { status: 201, body: { slug: 'repeated', version: 1 } })
  t.match(await create(body), { status: 201, body: { slug: 'repeated-2' } }, 'after an answer, another is created')
  t.match(await create(body), { status: 201, body: { slug: 'repeated-3' } })
})

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
