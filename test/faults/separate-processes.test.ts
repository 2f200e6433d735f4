import { fileURLToPath } from 'node:url'
import type { Generation } from '@platen/shared/contracts/generation.ts'
import type { Template } from '@platen/shared/contracts/template.ts'
import { startNatsServer } from '@platen/shared/testing/nats-server.ts'
import { Webhook } from 'standardwebhooks'
import t from 'tap'
import { startReceiver } from '../../services/notifier/src/testing/receiver.ts'
import { freePorts, launch, type PlatenRequest, readJson, request, testApiKey } from '../support/platen.ts'
import { download } from '../support/print.ts'
import { readPdf } from '../support/read-pdf.ts'
import { until } from '../support/until.ts'

t.setTimeout(60_000)

const services = ['gateway', 'template', 'renderer', 'notifier'] as const
type Service = (typeof services)[number]

const nats = await startNatsServer()
t.teardown(() => nats[Symbol.asyncDispose]())
const receiver = await startReceiver()
t.teardown(() => receiver[Symbol.asyncDispose]())
const folder = t.testdir()
const [port] = await freePorts(1)
const url = `http://127.0.0.1:${port}`

const start = (service: Service) =>
  launch({
    entryPoint: fileURLToPath(new URL(`../../services/${service}/src/main.ts`, import.meta.url)),
    settings: {
      NATS_URL: nats.url,
      EVENT_STORE_URL: `sqlite:${folder}/events.db`,
      OBJECT_STORE_URL: `file:${folder}/objects`,
      SIGNING_SECRET: '0123456789abcdef0123456789abcdef',
      PUBLIC_URL: url,
      DATA_DIR: `${folder}/${service}`,
      PORT: String(port),
      API_KEY: testApiKey,
      WEBHOOK_ALLOW_PRIVATE: 'true',
    },
    readyText: service === 'gateway' ? 'the gateway listens' : '"ready"',
  })

const json = async <Body>(path: string, init: PlatenRequest = {}) =>
  readJson<Body>(await request(new URL(path, url), testApiKey, init))

// In any order, all at once: none needs another to start.
const running = new Map(await Promise.all(services.map(async (service) => [service, await start(service)] as const)))
t.teardown(() => Promise.all([...running.values()].map((one) => one.end())))

t.test('a template, printed synchronously', async (t) => {
  const body = { name: 'Apart', html: 'Hello {{name}}' }
  t.equal((await json<Template>('/v1/templates', { body })).status, 201)
  const { status, body: generation } = await json<Generation>('/v1/generate', {
    body: { template: 'apart', data: { name: 'Ada' } },
  })
  t.equal(status, 200)
  t.equal((await readPdf(await download(generation.url)))[0]?.text, 'Hello Ada')
})

t.test('asynchronously, with a webhook', async (t) => {
  const body = { html: '<p>Later', async: true, webhook_url: receiver.url('/apart') }
  const { body: queued } = await json<Generation>('/v1/generate', { body })
  const { body: secret } = await json<{ secret: string }>('/v1/webhook-secret')
  const [call] = await receiver.calls('/apart', 1)
  const told = new Webhook(secret.secret).verify(call?.body ?? '', call?.headers as Record<string, string>)
  t.match(told, { type: 'generation.completed', data: { id: queued.id } })
  const { body: polled } = await json<Generation>(`/v1/generations/${queued.id}`)
  t.equal((await readPdf(await download(polled.url)))[0]?.text, 'Later')
})

t.test('a service that dies is missed, and what was asked of it is done when it is back', async (t) => {
  const renderer = running.get('renderer')
  renderer?.child.kill('SIGKILL')
  await renderer?.exited
  const { status, body: queued } = await json<Generation>('/v1/generate', { body: { html: 'Patient', async: true } })
  t.equal(status, 202)
  t.equal((await json<Generation>(`/v1/generations/${queued.id}`)).body.status, 'queued')
  running.set('renderer', await start('renderer'))
  t.equal((await json<Generation>(`/v1/generations/${queued.id}?wait=60`)).body.status, 'completed')

  const template = running.get('template')
  template?.child.kill('SIGKILL')
  await template?.exited
  const refused = await json('/v1/templates', { body: { name: 'Nobody there', html: 'x' } })
  t.match(refused, { status: 503, body: { error: { code: 'SERVICE_UNAVAILABLE' } } })
  t.match(refused.headers.get('retry-after'), /^\d+$/)
  t.equal((await json('/v1/templates/apart')).status, 200, 'reads go on')
  running.set('template', await start('template'))
})

t.test('the broker restarts under them', async (t) => {
  await nats.restart()
  const generation = await until(async () => {
    const { status, body } = await json<Generation>('/v1/generate', { body: { html: 'Again', async: true } })
    return status === 202 ? body : undefined
  }, 'nothing is accepted')
  t.equal((await json<Generation>(`/v1/generations/${generation.id}?wait=60`)).body.status, 'completed')
})

t.test('each ends cleanly', async (t) => {
  for (const [service, { child, exited }] of running) {
    child.kill('SIGTERM')
    await exited
    t.equal(child.exitCode, 0, service)
  }
})
