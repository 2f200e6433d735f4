import { setTimeout as delay } from 'node:timers/promises'
import type { Generation } from '@platen/domain/generation/generation.ts'
import type { Template } from '@platen/domain/template/template.ts'
import { Webhook } from 'standardwebhooks'
import t from 'tap'
import { runCli, startGuardedEngines } from '../support/engines.ts'
import { type Gateway, launchService, startFleet } from '../support/fleet.ts'
import { listAll } from '../support/list-all.ts'
import { startReceiver } from '../support/notifier/receiver.ts'
import { request } from '../support/platen.ts'
import { download } from '../support/print.ts'
import { readPdf } from '../support/read-pdf.ts'
import { readGenerations } from '../support/recorded.ts'
import { until } from '../support/until.ts'

t.setTimeout(600_000)

const engines = await startGuardedEngines()
t.teardown(() => engines[Symbol.asyncDispose]())
const tooEarly = await launchService('template', engines.settings).catch((err) => err)
await runCli(engines.operators, 'streams', 'setup')

const fleet = await startFleet(engines.settings)
t.teardown(() => fleet[Symbol.asyncDispose]())
const [one, other] = fleet.gateways
const receiver = await startReceiver()
t.teardown(() => receiver[Symbol.asyncDispose]())

const named = (name: string) => `${name} ${Date.now().toString(36)}`
const slow = (ms: number) => `<script>const until = Date.now() + ${ms}; while (Date.now() < until);</script>`
const submit = (gateway: Gateway, body: object) =>
  gateway.json<Generation>('/v1/generate', { body: { async: true, ...body } })
const poll = (gateway: Gateway, id: string) => gateway.json<Generation>(`/v1/generations/${id}?wait=60`)

t.test('a service without its NATS streams exits with the command that creates them', async (t) => {
  t.match(tooEarly, { name: 'NotStarted', exitCode: 1 })
  const line =
    'template cannot run: NATS has no stream COMMANDS: run `platen streams setup` with an account that may create it'
  t.match(tooEarly.message, line)
})

t.test('each service answers /readyz, /livez and /metrics', async (t) => {
  for (const { name, service, url } of fleet.processes) {
    const health = await fetch(`${url}/readyz`)
    t.equal(health.status, 200, name)
    const more = { gateway: { views: 'ok' }, renderer: { browser: 'ok' }, template: {}, notifier: {} }[service]
    t.match(await health.json(), {
      status: 'ok',
      checks: { nats: 'ok', streams: 'ok', event_store: 'ok', object_store: 'ok', ...more },
    })
    t.match(await (await fetch(`${url}/metrics`)).text(), /^process_cpu_seconds_total \d/m, name)
    t.equal((await fetch(`${url}/livez`)).status, 200, name)
  }
})

t.test('a gateway reads its own writes at once, and those of another gateway soon', async (t) => {
  const seen = (gateway: Gateway, path: string, wanted: (answer: { status: number; body: Template }) => boolean) =>
    until(async () => {
      const answer = await gateway.json<Template>(path)
      return wanted(answer) ? answer : undefined
    }, `${path} did not change`)
  const { status, body: template } = await one.json<Template>('/v1/templates', {
    body: { name: named('Shared'), html: 'Hello {{name}}' },
  })
  t.equal(status, 201)
  const path = `/v1/templates/${template.id}`
  t.strictSame((await one.json(path)).body, template)
  t.strictSame((await seen(other, path, ({ status }) => status === 200)).body, template)

  const changed = await other.json<Template>(path, { method: 'PATCH', body: { html: 'Bye {{name}}' } })
  t.match(changed, { status: 200, body: { version: 2 } })
  t.strictSame((await other.json(path)).body, changed.body)
  t.strictSame((await seen(one, path, ({ body }) => body.version === 2)).body, changed.body)
  const stale = { method: 'PATCH', body: { html: 'x' }, headers: { 'if-match': '"1"' } }
  t.match(await one.json(path, stale), { status: 412, body: { error: { code: 'PRECONDITION_FAILED' } } })

  for (const [gateway, text] of [
    [one, 'Bye Ada'],
    [other, 'Bye Bo'],
  ] as const) {
    const data = { name: text.slice(4) }
    const { body } = await gateway.json<Generation>('/v1/generate', { body: { template: template.slug, data } })
    t.match(body, { status: 'completed', template: { id: template.id, version: 2 } })
    t.equal((await readPdf(await download(body.url)))[0]?.text, text)
  }
  t.equal((await one.request(path, { method: 'DELETE' })).status, 204)
  t.equal((await one.request(path)).status, 404)
  await seen(other, path, ({ status }) => status === 404)
})

t.test('both gateways serve files and ranges of files', async (t) => {
  const { status, body } = await submit(one, { html: '<p>A file' })
  t.match({ status, body }, { status: 202, body: { poll_url: `${fleet.gateways[0].url}/v1/generations/${body.id}` } })
  const { body: generation } = await poll(other, body.id)
  t.equal(generation.status, 'completed')
  const { pathname, search } = new URL(generation.url ?? '')
  for (const { url } of fleet.gateways) {
    const fileUrl = `${url}${pathname}${search}`
    const whole = await download(fileUrl)
    t.equal(whole.byteLength, generation.size)
    const part = await fetch(fileUrl, { headers: { range: 'bytes=1-3' } })
    t.equal(part.status, 206)
    t.equal(part.headers.get('content-range'), `bytes 1-3/${generation.size}`)
    t.equal(await part.text(), 'PDF')
  }
})

t.test('each generation sends one webhook, signed with the same secret by both notifiers', async (t) => {
  const ids = await Promise.all(
    Array.from({ length: 10 }, async (_, n) => {
      const body = { html: `Hook ${n}`, webhook_url: receiver.url('/once') }
      return (await submit(n % 2 === 0 ? one : other, body)).body.id
    }),
  )
  const calls = await receiver.calls('/once', ids.length)
  const secrets = await Promise.all(
    fleet.gateways.map(async (gateway) => (await gateway.json<{ secret: string }>('/v1/webhook-secret')).body.secret),
  )
  t.equal(new Set(secrets).size, 1)
  const webhook = new Webhook(secrets[0] ?? '')
  const sent = calls.map(
    ({ body, headers }) => webhook.verify(body, headers as Record<string, string>) as { data: Generation },
  )
  t.strictSame(sent.map(({ data }) => data.id).sort(), ids.toSorted())
  await delay(1_000)
  t.equal(receiver.on('/once').length, ids.length, 'no further webhook')
})

t.test('a hundred equal requests to both gateways make one generation or template', async (t) => {
  for (const [path, body, status] of [
    ['/v1/generate', { html: 'Once', async: true }, 202],
    ['/v1/templates', { name: named('Once'), html: 'Once' }, 201],
  ] as const) {
    const headers = { 'idempotency-key': named(path) }
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, n) => (n % 2 ? one : other).json<{ id: string }>(path, { body, headers })),
    )
    t.strictSame(new Set(answers.map((answer) => answer.status)), new Set([status]))
    t.equal(new Set(answers.map(({ body }) => body.id)).size, 1)
  }
})

t.test('queued generations are listed and cancelled by both gateways, and hidden from other owners', async (t) => {
  const stranger = `stranger-${Date.now().toString(36)}`
  await runCli(engines.settings, 'owners', 'create', '--name', stranger)
  const issued = await runCli(engines.settings, 'keys', 'issue', '--name', stranger, '--owner', stranger)
  const [, key = ''] = issued.split('\n')
  const asStranger = (gateway: { url: string }, id: string) =>
    request(new URL(`/v1/generations/${id}`, gateway.url), key, {})
  for (const gateway of fleet.gateways)
    await until(
      async () => (await asStranger(gateway, 'pdf_x')).status !== 401 || undefined,
      'the gateway did not accept the new API key',
    )
  const answers = await Promise.all(
    Array.from({ length: 15 }, (_, n) => submit(n % 2 ? one : other, { html: slow(300) })),
  )
  // This one takes long enough to be cancelled in time, however long the others take.
  const last = (await submit(one, { html: slow(25_000) })).body.id
  const ids = [...answers.map(({ body }) => body.id), last]
  const lists = await Promise.all(fleet.gateways.map((gateway) => listAll(gateway, 7)))
  for (const list of lists) {
    t.strictSame(new Set(list.map(({ id }) => id)).size, list.length, 'no generation is listed twice')
    t.ok(
      ids.every((id) => list.some((generation) => generation.id === id)),
      'every generation is listed',
    )
    t.ok(
      list.some(({ status }) => status === 'queued'),
      'some are queued',
    )
  }
  for (const gateway of fleet.gateways) t.equal((await asStranger(gateway, last)).status, 404)
  t.match(await other.json(`/v1/generations/${last}`, { method: 'DELETE' }), { status: 200 })
  t.equal((await poll(one, last)).body.status, 'cancelled')
  for (const id of ids) if (id !== last) t.equal((await poll(one, id)).body.status, 'completed')
  const renderers = (await readGenerations(fleet)).values().flatMap((generation) => generation.renderers)
  t.equal(new Set(renderers).size, 2, 'both renderers worked')
})
