import { ownScopes } from '@platen/domain/api-key/api-key.ts'
import { apiKeyId, revokeApiKey } from '@platen/domain/api-key/api-keys.ts'
import { createOwner } from '@platen/domain/owner/owners.ts'
import { streams } from '@platen/domain/streams/subjects.ts'
import { apiKey, eventually, startTestGateway } from '@platen/test-support/gateway/test-gateway.ts'
import { headers } from 'nats'
import t from 'tap'

const gateway = await startTestGateway()
t.teardown(() => gateway[Symbol.asyncDispose]())
const { call, renderer, services } = gateway
const acme = await createOwner(services.store, 'Acme')
const acmeKey = await gateway.issueKeyOf(acme, ...ownScopes)

const generate = (key: string, body: object) => call('POST', '/v1/generate', { key, body })
/** The status once it is as expected: it may be a second old. */
const statusWhen = (
  isWanted: (body: Awaited<ReturnType<typeof call>>['body']) => boolean,
  path = '/v1/status',
  key = apiKey,
) =>
  eventually(async () => {
    const { status, body } = await call('GET', path, { key })
    if (status !== 200 || !isWanted(body)) throw new Error(`${status} ${JSON.stringify(body)}`)
    return body
  })

t.test('an operator sees the deployment: queues, failures by code, processes, dead letters, alerts', async (t) => {
  await generate(acmeKey, { html: 'x' })
  renderer.behaviour = { code: 'RENDER_FAILED', message: 'no' }
  await generate(apiKey, { html: 'x' })
  renderer.behaviour = 'held'
  await generate(apiKey, { html: 'x', async: true })
  const body = await statusWhen(({ generations }) => generations.rendering === 1 && generations.last_hour.failed === 1)
  t.match(body.generations, {
    accepted: 1,
    queued: { interactive: 0, batch: 0 },
    rendering: 1,
    last_hour: { completed: 1, failed: 1, cancelled: 0, failures: [{ code: 'RENDER_FAILED', count: 1 }] },
  })
  t.match(body, {
    engines: [
      { engine: 'NATS', ok: true },
      { engine: 'event store', ok: true },
      { engine: 'object store', ok: true },
    ],
    queues: [
      { priority: 'interactive' },
      { priority: 'batch', in_progress: 1, oldest_at: /Z$/ },
      { priority: 'backlog' },
      { priority: 'tools-interactive' },
      { priority: 'tools-batch' },
      { priority: 'tools-backlog' },
    ],
    relays: [{ relay: 'template' }, { relay: 'renderer' }, { relay: 'notifier' }],
    deployment: /^dep_/,
    dead_letters: { count: 0, reasons: [] },
    last_backup: {},
  })
  t.ok(
    body.consumers.some(({ consumer, own }: { consumer: string; own: boolean }) => consumer === 'render-batch' && own),
  )
  const alert = (name: string) => body.alerts.find((one: { alert: string }) => one.alert === name)
  t.match(alert('PlatenGenerationsFail'), { state: 'active', found: ['1 of 2 in the last ten minutes'] })
  t.match(alert('PlatenAppendsFail'), { state: 'not_evaluated', reason: /Prometheus/ })
  t.match(alert('PlatenDeadLetters'), { state: 'inactive', found: [] })
  t.notMatch(JSON.stringify(body), /nats-server|sqlite|file:/i, 'no URL of an engine')
  renderer.behaviour = 'complete'
  renderer.release()
})

t.test('what cannot be known is absent, with the reason', async (t) => {
  // No notifier runs here, and no process of this test announces its views before five seconds have passed.
  const body = await statusWhen(({ not_checked }) => not_checked.length > 0)
  const reasons = new Map(body.not_checked.map((one: { part: string; reason: string }) => [one.part, one.reason]))
  t.match(reasons.get('deliveries'), 'no notifier says how it stands')
  t.equal(body.deliveries, undefined)
  for (const part of reasons.keys()) t.equal(body[String(part)], undefined, String(part))
})

t.test('the key of an owner gets the figures of its owner alone', async (t) => {
  renderer.behaviour = 'held'
  const { body: held } = await generate(acmeKey, { html: 'x', async: true })
  const isHeld = ({ generations }: { generations: { rendering: number } }) => generations.rendering === 1
  const body = await statusWhen(isHeld, '/v1/status', acmeKey)
  t.strictSame(Object.keys(body).sort(), ['at', 'generations', 'not_checked', 'owner_id'])
  t.strictSame(body.generations, {
    accepted: 1,
    queued: { interactive: 0, batch: 0 },
    rendering: 1,
    last_hour: { completed: 1, failed: 0, cancelled: 0, failures: [] },
  })
  t.match(await statusWhen(isHeld, `/v1/status?owner=${acme}`), { owner_id: acme, generations: body.generations })
  t.equal((await call('GET', '/v1/status?owner=own_default', { key: acmeKey })).status, 403)
  const other = await gateway.issueKey('generate')
  t.equal((await call('GET', '/v1/status', { key: other })).status, 403)
  await call('DELETE', `/v1/generations/${held.id}`, { key: acmeKey })
  renderer.behaviour = 'complete'
  renderer.release()
})

interface Followed extends AsyncDisposable {
  next(): Promise<{ event: string; data: Record<string, never> & { dead_letters: { count: number } } }>
}

async function follow(key = apiKey): Promise<Followed> {
  const end = new AbortController()
  const response = await fetch(new URL('/v1/status/events', gateway.url), {
    headers: { authorization: `Bearer ${key}` },
    signal: end.signal,
  })
  t.match(response.headers.get('content-type'), /^text\/event-stream/)
  const chunks = response.body?.pipeThrough(new TextDecoderStream())[Symbol.asyncIterator]()
  let text = ''
  return {
    async next() {
      for (;;) {
        const at = text.indexOf('\n\n')
        if (at >= 0) {
          const message = text.slice(0, at)
          text = text.slice(at + 2)
          const [, event = '', data = ''] = /^event: (\w+)\ndata: (.*)$/.exec(message) ?? []
          if (event !== '') return { event, data: JSON.parse(data) }
          continue
        }
        const chunk = await chunks?.next()
        if (chunk === undefined || chunk.done) throw new Error('the response has ended')
        text += chunk.value
      }
    },
    async [Symbol.asyncDispose]() {
      end.abort()
      await chunks?.return?.().catch(() => {})
    },
  }
}

t.test('the status is followed: it comes at once, and again when something has changed', async (t) => {
  await using followed = await follow()
  t.match(await followed.next(), { event: 'status', data: { dead_letters: { count: 0 } } })
  const header = headers()
  header.set('Platen-Reason', 'it crashed')
  await services.bus.js.publish('dead-letters.commands.template.tpl_1', 'x', { headers: header })
  let last = await followed.next()
  while (last.data.dead_letters.count === 0) last = await followed.next()
  t.match(last.data, { dead_letters: { count: 1, reasons: [{ reason: 'it crashed', count: 1 }] } })
  await services.bus.jsm.streams.purge(streams.deadLetters)
})

t.test('who follows is told no more when the key is revoked', async (t) => {
  const key = await gateway.issueKey('generations:read')
  const { body } = await call('GET', '/v1/keys')
  const { id } = body.data.find(({ prefix }: { prefix: string }) => key.startsWith(prefix))
  await using followed = await follow(key)
  t.match(await followed.next(), { event: 'status' })
  t.equal((await call('DELETE', `/v1/keys/${id}`)).status, 204)
  await t.rejects(
    (async () => {
      for (;;) await followed.next()
    })(),
    { message: 'the response has ended' },
  )
})

t.test('of the newest hundred dead letters few are in memory at a time', async (t) => {
  const api = services.bus.queries.streams
  const { getMessage } = api
  const reads = { underWay: 0, most: 0, all: 0 }
  api.getMessage = async (...of) => {
    reads.all++
    reads.most = Math.max(reads.most, ++reads.underWay)
    return getMessage.apply(api, of).finally(() => reads.underWay--)
  }
  t.teardown(() => {
    api.getMessage = getMessage
  })
  for (let count = 0; count < 100; count++) await services.bus.js.publish('dead-letters.commands.template.tpl_1', 'x')
  const { dead_letters } = await statusWhen((body) => body.dead_letters?.count === 100)
  t.strictSame(dead_letters.reasons, [{ reason: '', count: 100 }])
  t.ok(reads.all >= 100)
  // The last messages of the relays are read at the same time.
  t.ok(reads.most <= 15, `${reads.most} at a time`)
  await services.bus.jsm.streams.purge(streams.deadLetters)
})

t.test('a listener whose key is revoked gives up one place of its owner', async (t) => {
  const revoked = await gateway.issueKeyOf(acme, 'generations:read')
  await using listeners = new AsyncDisposableStack()
  for (let n = 0; n < 19; n++) listeners.use(await follow(acmeKey))
  await using last = await follow(revoked)
  const refused = () => call('GET', '/v1/status/events', { key: acmeKey, firstEvent: true })
  t.equal((await refused()).status, 429)
  await revokeApiKey(services.store, apiKeyId(revoked))
  await t.rejects(
    (async () => {
      for (;;) await last.next()
    })(),
    { message: 'the response has ended' },
  )
  const again = await eventually(async () => {
    const response = await fetch(new URL('/v1/status/events', gateway.url), {
      headers: { authorization: `Bearer ${acmeKey}` },
    })
    if (response.status !== 200) throw new Error(`still ${response.status}`)
    return response
  })
  t.equal((await refused()).status, 429)
  await again.body?.cancel()
})

t.test('an owner may have twenty listeners', async (t) => {
  const listeners = new AsyncDisposableStack()
  for (let n = 0; n < 20; n++) listeners.use(await follow(acmeKey))
  const refused = await call('GET', '/v1/status/events', { key: acmeKey })
  t.match(refused, { status: 429, body: { error: { code: 'CONCURRENCY_LIMIT_EXCEEDED' } } })
  await using _ = await follow()
  await listeners.disposeAsync()
  await eventually(async () => {
    const answer = await call('GET', '/v1/status/events', { key: acmeKey, firstEvent: true })
    if (answer.status !== 200) throw new Error(`still ${answer.status}`)
  })
})

t.test('nothing is computed while nobody asks, also after a HEAD and after listeners have gone', async (t) => {
  let asked = 0
  const requests = services.bus.nats.subscribe('$JS.API.STREAM.INFO.DEAD_LETTERS', {
    callback() {
      asked += 1
    },
  })
  await statusWhen(() => asked > 0)
  for (let n = 0; n < 25; n++) t.equal((await call('HEAD', '/v1/status/events')).status, 200)
  {
    await using followed = await follow()
    await followed.next()
  }
  await eventually(async () => {
    const before = asked
    await new Promise((resolve) => setTimeout(resolve, 3_000))
    if (asked !== before) throw new Error(`asked ${asked - before} times in three seconds`)
  })
  requests.unsubscribe()
})

t.test('while NATS does not answer, what is known without it is answered, and the rest has the reason', async (t) => {
  await gateway.nats.stop()
  const body = await statusWhen(({ engines }) => !engines[0].ok)
  t.match(body.engines, [{ engine: 'NATS', ok: false, reason: String }, { ok: true }, { ok: true }])
  const parts = body.not_checked.map(({ part }: { part: string }) => part)
  for (const part of ['processes', 'queues', 'consumers', 'relays', 'dead_letters']) {
    t.ok(parts.includes(part), part)
    t.equal(body[part], undefined, part)
  }
  t.equal(body.generations.accepted, undefined)
  t.ok(body.disks.length > 0, 'its own disks')
  const states = body.alerts.map(({ alert, state }: Record<string, string>) => `${alert} ${state}`)
  for (const known of ['PlatenDiskIsFull inactive', 'PlatenGenerationsFail active', 'PlatenDeadLetters not_evaluated'])
    t.ok(states.includes(known), known)
  t.equal(body.generations.last_hour.failed, 1, 'the views know it')
  const own = await call('GET', '/v1/status', { key: acmeKey })
  t.match(own, { status: 200, body: { generations: { last_hour: { completed: 1 } } } })
  t.match(own.body.not_checked[0], { part: 'generations.accepted', reason: /NATS/ })
})
