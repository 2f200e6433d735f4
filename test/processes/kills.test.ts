import { setTimeout as delay } from 'node:timers/promises'
import type { Generation } from '@platen/domain/generation/generation.ts'
import type { Template } from '@platen/domain/template/template.ts'
import { Webhook } from 'standardwebhooks'
import t from 'tap'
import { customerOf } from '../support/customer.ts'
import { runCli, startGuardedEngines } from '../support/engines.ts'
import { type Gateway, type Service, type ServiceProcess, startFleet } from '../support/fleet.ts'
import { listAll } from '../support/list-all.ts'
import { startReceiver } from '../support/notifier/receiver.ts'
import { download } from '../support/print.ts'
import { readPdf } from '../support/read-pdf.ts'
import { endings, readGenerations } from '../support/recorded.ts'
import { until } from '../support/until.ts'

t.setTimeout(600_000)

const engines = await startGuardedEngines()
t.teardown(() => engines[Symbol.asyncDispose]())
await runCli(engines.operators, 'streams', 'setup')
const fleet = await startFleet(engines.settings)
t.teardown(() => fleet[Symbol.asyncDispose]())
const receiver = await startReceiver()
t.teardown(() => receiver[Symbol.asyncDispose]())
const { gateways } = fleet
const [gateway] = gateways

const batchSize = 6
const body = { name: `Killed ${Date.now().toString(36)}`, html: 'Edit 0' }
const { body: template } = await gateway.json<Template>('/v1/templates', { body })
const customer = customerOf(gateways)
const busy = (ms: number) => `<script>const until = Date.now() + ${ms}; while (Date.now() < until);</script>`
const documentOf = (n: number) => ({
  html: `<p>Document ${n}${busy(100)}`,
  webhook_url: receiver.url(`/${n}`),
})

const halves = [1, 2].map((index) => fleet.processes.filter(({ name }) => name.endsWith(`-${index}`)))

/** Messages of a killed renderer or notifier are redelivered only after the ack wait, so these are killed first. */
const order: readonly Service[] = ['renderer', 'notifier', 'template', 'gateway']
const slowestRecoveryFirst = (one: ServiceProcess, next: ServiceProcess) =>
  order.indexOf(one.service) - order.indexOf(next.service)

t.test('requests are accepted while all processes are killed, first together, then one by one', async (t) => {
  const stop = new AbortController()
  t.teardown(() => stop.abort())
  const editing = customer.edit(template, stop.signal)
  const submitting: Promise<string>[] = []
  const submitSome = () => {
    const batch = Array.from({ length: batchSize }, (_, at) => {
      const n = submitting.length + at
      return customer.submit(`document ${n}`, documentOf(n))
    })
    submitting.push(...batch)
    return Promise.race(batch)
  }
  await Promise.all([submitSome(), submitSome(), submitSome(), submitSome()])
  await until(() => receiver.received[0], 'no webhook was sent')
  await Promise.all(fleet.processes.map((process) => process.kill()))
  t.ok(receiver.received.length < submitting.length, `all were killed after ${receiver.received.length} webhooks`)
  await Promise.all(fleet.processes.toReversed().map((process) => process.start()))

  for (const half of halves) {
    const starting: Promise<void>[] = []
    for (const victim of half.toSorted(slowestRecoveryFirst)) {
      await submitSome()
      await victim.kill()
      starting.push(victim.start())
      t.pass(`${victim.name} was killed`)
    }
    await Promise.all(starting)
  }
  await Promise.all(submitting)
  stop.abort()
  await editing
  t.equal(customer.accepted.size, submitting.length)
  const unexpected = customer.answers.filter((answer) => ![200, 202, 503, 504, 'cut'].includes(answer))
  t.strictSame(unexpected, [], 'no other error than 503 or 504')
  t.ok(customer.edits.size > fleet.processes.length, `${customer.edits.size} edits`)
})

t.test('no request fails while one half of the processes, then the other, is stopped and started', async (t) => {
  const live = new Set<Gateway>(gateways)
  const failures: unknown[] = []
  let succeeded = 0
  const stop = new AbortController()
  t.teardown(() => stop.abort())
  const repeat = async (send: (gateway: Gateway, n: number) => Promise<Response>) => {
    for (let n = 0; !stop.signal.aborted; n++) {
      const [target = gateway] = [...live].slice(n % live.size)
      const answer = await send(target, n).then(
        async (response) => ({
          ok: response.ok,
          status: response.status,
          url: response.url,
          body: await response.text(),
        }),
        (err) => ({ ok: false, err }),
      )
      if (answer.ok) succeeded++
      else failures.push(answer)
      await delay(150)
    }
  }
  const post = (path: string, bodyOf: (n: number) => object) =>
    repeat(({ request }, n) => request(path, { body: bodyOf(n) }))
  const { body: edited } = await gateway.json<Template>('/v1/templates', { body: { name: 'Edited', html: 'x' } })
  const partial = `partial-${Date.now().toString(36)}`
  t.equal((await gateway.request('/v1/partials', { body: { name: partial, html: 'x' } })).status, 201)
  const [received] = receiver.received
  const notified = customer.accepted.get(`document ${received?.path.slice(1)}`)
  const load = [
    post('/v1/generate', (n) => ({ html: `Synchronous ${n}` })),
    post('/v1/generate', (n) => ({ html: `Asynchronous ${n}`, async: true })),
    post('/v1/preview', (n) => ({ html: `Preview ${n}` })),
    post('/v1/templates', (n) => ({ name: `Template ${n}`, html: 'x' })),
    post('/v1/partials', (n) => ({ name: `${partial}-${n}`, html: 'x' })),
    post(`/v1/generations/${notified}/deliveries/redeliver`, () => ({})),
    repeat(({ request }, n) => request(`/v1/templates/${edited.id}`, { method: 'PATCH', body: { html: `Edit ${n}` } })),
    repeat(({ request }, n) => request(`/v1/partials/${partial}`, { method: 'PATCH', body: { html: `Edit ${n}` } })),
    repeat(({ request }, n) => {
      const style = { method: 'PUT', body: `p { margin: ${n}px }`, headers: { 'content-type': 'text/css' } }
      return request('/v1/assets/edited.css', style)
    }),
    repeat(async ({ request, json }, n) => {
      const cancelled = { html: `Cancelled ${n}${busy(200)}`, async: true }
      const { body } = await json<Generation>('/v1/generate', { body: cancelled })
      const answer = await request(`/v1/generations/${body.id}`, { method: 'DELETE' })
      // The generation has ended already.
      return answer.status === 409 ? new Response() : answer
    }),
  ]
  for (const half of halves) {
    const stopped = gateways.find(({ name }) => half.some((process) => process.name === name)) ?? gateway
    live.delete(stopped)
    const slow = { body: { html: `<p>Last${busy(1_000)}`, metadata: { last: stopped.name } } }
    const last = stopped.json<Generation>('/v1/generate', slow).catch((err) => err)
    const printed = async () => {
      const [other] = live
      const found = await other?.json<{ data: Generation[] }>(`/v1/generations?metadata.last=${stopped.name}`)
      return found?.body.data?.[0]
    }
    await until(printed, 'the request in progress is not printed')
    const codes = await Promise.all(half.map((process) => process.stop()))
    t.strictSame(codes, [0, 0, 0, 0], `exit codes of ${half.map(({ name }) => name)}`)
    t.match(await last, { status: 200, body: { status: 'completed' } }, 'the request in progress is answered')
    await Promise.all(half.map((process) => process.start()))
    live.add(stopped)
  }
  stop.abort()
  await Promise.all(load)
  t.strictSame(failures, [], `of ${succeeded} requests`)
  t.ok(succeeded > 60, `${succeeded} requests`)
})

t.test('every accepted request was executed exactly once', async (t) => {
  const submitted = [...customer.accepted]
  for (const [key, id] of submitted) {
    const { body } = await until(async () => {
      const answer = await gateway.json<Generation>(`/v1/generations/${id}?wait=60`)
      return answer.body.status === 'completed' || answer.body.status === 'failed' ? answer : undefined
    }, `${id} did not end`)
    const pdf = await download(body.url)
    t.equal(pdf.byteLength, body.size, id)
    const pages = await readPdf(pdf)
    t.equal(pages.length, body.pages, id)
    t.equal(pages[0]?.text, `D${key.slice(1)}`, id)
  }

  const recorded = await until(async () => {
    const generations = await readGenerations(fleet)
    const unended = generations.values().filter(({ types }) => !types.some((type) => endings.includes(type)))
    return [...unended].length === 0 ? generations : undefined
  }, 'some generations did not end')
  for (const { id, types, response } of recorded.values()) {
    t.equal(types.filter((type) => endings.includes(type)).length, 1, `${id}: ${types}`)
    for (const { name, json } of gateways) t.match((await json(`/v1/generations/${id}`)).body, response, name)
  }
  const renderers = new Set(recorded.values().flatMap(({ renderers }) => renderers))
  t.ok(renderers.size >= 4, `${renderers.size} renderers worked`)

  const { body } = await gateway.json<{ secret: string }>('/v1/webhook-secret')
  const webhook = new Webhook(body.secret)
  for (const [key, id] of submitted) {
    const path = `/${key.split(' ')[1]}`
    await until(() => receiver.on(path)[0], `no webhook was sent for ${id}`)
    const calls = receiver.on(path)
    t.equal(new Set(calls.map(({ headers }) => headers['webhook-id'])).size, 1, `${id}: ${calls.length} calls`)
    const [sent] = calls.map((call) => webhook.verify(call.body, call.headers as Record<string, string>))
    t.match(sent, { type: 'generation.completed', data: { id } })
  }

  const versions: { revision: number; html: unknown }[] = []
  for await (const { revision, data } of fleet.store.readStream(`template-${template.id}`)) {
    versions.push({ revision, html: (data as { html?: string }).html })
  }
  t.strictSame(
    versions.map(({ revision }) => revision),
    versions.map((_, at) => at),
    'revisions have no gap',
  )
  t.equal(new Set(versions.map(({ html }) => html)).size, versions.length, 'no edit was executed twice')
  for (const [version, html] of customer.edits) t.equal(versions[version - 1]?.html, html)
})

t.test(
  'a new gateway builds the same views, and redirects file requests to the public URL of the object store',
  async (t) => {
    const { hostname, port } = new URL(engines.settings.OBJECT_STORE_URL?.replace(/^s3:/, 'http:') ?? '')
    const third = await fleet.addGateway({ OBJECT_STORE_PUBLIC_URL: `http://${hostname}:${port}` })
    const lists = await Promise.all([...gateways, third].map((one) => listAll(one)))
    t.ok((lists[0]?.length ?? 0) > customer.accepted.size)
    t.strictSame(lists[1], lists[0])
    t.strictSame(lists[2], lists[0])
    const [id] = customer.accepted.values()
    const { pathname, search } = new URL((await third.json<Generation>(`/v1/generations/${id}`)).body.url ?? '')
    const redirect = await fetch(`${third.url}${pathname}${search}`, { redirect: 'manual' })
    t.equal(redirect.status, 302)
    const pdf = await download(redirect.headers.get('location') ?? '')
    t.equal((await readPdf(pdf)).length, 1)
  },
)

t.test('every service is ready and logged no error', async (t) => {
  for (const { name, url, errors } of fleet.processes) {
    t.equal((await fetch(`${url}/readyz`)).status, 200, name)
    t.strictSame(errors(), [], `${name} logged no error`)
  }
})
