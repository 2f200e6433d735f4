import { defined } from '@platen/foundation/json/defined.ts'
import { derivedId } from '@platen/foundation/runtime/ids.ts'
import { KeptInputs } from '@platen/service-kit/inputs/kept-inputs.ts'
import { apiKey, startTestGateway } from '@platen/test-support/gateway/test-gateway.ts'
import { DiscardPolicy } from 'nats'
import t, { type Test } from 'tap'

const gateway = await startTestGateway()
t.teardown(() => gateway[Symbol.asyncDispose]())
const { call, renderer, services } = gateway
const { objects, store, bus } = services
t.afterEach(() => {
  renderer.behaviour = 'complete'
})

const generate = (body: object, key?: string) => call('POST', '/v1/generate', { body, ...(key && { key }) })
const retry = (id: string, body?: object, headers = {}) =>
  call('POST', `/v1/generations/${id}/retry`, { headers, ...defined({ body }) })
const ended = (id: string) => call('GET', `/v1/generations/${id}?wait=10`)
const erase = (id: string) => call('DELETE', `/v1/generations/${id}/content`)
const dayMs = 24 * 3_600_000
const conflict = (message: RegExp) => ({ status: 409, body: { error: { code: 'CONFLICT', message } } })
const keptInputs = new KeptInputs({ bus, objects })
/** What the last command has for the renderer. */
const lastInput = async () => {
  const { input, input_key = '' } = renderer.taken.at(-1) ?? {}
  return input ?? (await keptInputs.read(input_key))?.input
}
const keptOf = async (id: string) => {
  const keys: string[] = []
  for await (const { key } of objects.list('inputs', new Set([id]))) keys.push(key)
  return keys
}
const isUntil = (t: Test, { created_at, input_kept_until }: Record<string, string>, days: number) =>
  t.equal(Date.parse(input_kept_until ?? '') - Date.parse(created_at ?? ''), days * dayMs)

t.test('a document with retain_input is rendered again with the same input', async (t) => {
  const first = await generate({ html: '<p>{{text}}</p>', data: { text: 'kept' }, retain_input: 7 })
  t.equal(first.status, 200, JSON.stringify(first.body))
  isUntil(t, first.body, 7)
  isUntil(t, (await call('GET', `/v1/generations/${first.body.id}`)).body, 7)
  const again = await retry(first.body.id)
  t.equal(again.status, 202, JSON.stringify(again.body))
  isUntil(t, again.body, 7)
  t.match((await ended(again.body.id)).body, { status: 'completed', retry_of: first.body.id })
  const [one, two] = renderer.taken.slice(-2)
  t.notOk(one?.input ?? two?.input, 'no command has it unencrypted')
  const inputs = await Promise.all([one, two].map((taken) => keptInputs.read(taken?.input_key ?? '')))
  t.match(inputs[0], { input: { html: '<p>{{text}}</p>', data: { text: 'kept' } } })
  t.strictSame(inputs[1], inputs[0])
  t.ok(two?.requires?.includes('kept-input'), 'an older renderer does not take it')
  t.notSame(two?.request.kept_input?.object_key, one?.request.kept_input?.object_key)
  const short = await retry(first.body.id, { retain_input: 1 })
  isUntil(t, short.body, 1)
  const none = await retry(first.body.id, { retain_input: 0 })
  t.notOk('input_kept_until' in none.body)
  await ended(none.body.id)
  t.match(await retry(none.body.id), conflict(/is not kept/))
})

t.test('a key that may not read generations has no input kept longer by a retry', async (t) => {
  const { body } = await generate({ html: '<p>x</p>', retain_input: 7 })
  const key = await gateway.issueKey('generate')
  const retryWith = (changes?: object) =>
    call('POST', `/v1/generations/${body.id}/retry`, { key, ...defined({ body: changes }) })
  t.match(await retryWith({ retain_input: 30 }), { status: 403, body: { error: { message: /generations:read/ } } })
  const again = await retryWith()
  t.equal(again.status, 202, JSON.stringify(again.body))
  t.notOk('input_kept_until' in again.body)
})

t.test('nothing is kept by default, and a large input is stored once if it is kept', async (t) => {
  const plain = (await generate({ html: 'x' })).body
  t.notOk('input_kept_until' in plain)
  t.strictSame(await keptOf(plain.id), [])
  const large = (await generate({ html: 'x'.repeat(700 * 1_024), retain_input: 2 })).body
  t.strictSame(await keptOf(large.id), [renderer.taken.at(-1)?.input_key])
  t.equal((await retry(large.id)).status, 202)
  const stored = (await generate({ html: 'y'.repeat(700 * 1_024) })).body
  isUntil(t, (await call('GET', `/v1/generations/${stored.id}`)).body, 7)
})

t.test('another version of the template is rendered with the data and the options of the request', async (t) => {
  const template = { name: 'Rendered anew', html: 'one {{text}}', options: { format: 'A5' } }
  const { body: made } = await call('POST', '/v1/templates', { body: template })
  const data = { text: 'kept', exact: 1 }
  const request = { template: made.slug, data, options: { landscape: true } }
  const first = (await generate({ ...request, retain_input: 3, metadata: { order: '7' } })).body
  const unkept = (await generate(request)).body
  const changes = { html: 'two {{text}}', options: { format: 'Legal' } }
  t.equal((await call('PATCH', `/v1/templates/${made.id}`, { body: changes })).status, 200)

  const same = await retry(first.id)
  t.match(same.body, { template: { version: 1 } })
  await ended(same.body.id)
  t.match(await lastInput(), { template: { version: 1 }, options: { format: 'A5', landscape: true } })
  const newer = await retry(first.id, { template_version: 2 })
  t.match(newer, { status: 202, body: { template: { id: made.id, version: 2 }, metadata: { order: '7' } } })
  await ended(newer.body.id)
  t.match(await lastInput(), {
    template: { version: 2 },
    data,
    options: { format: 'Legal', landscape: true },
  })
  const older = await retry(newer.body.id, { template_version: 1 })
  await ended(older.body.id)
  t.match(await lastInput(), { template: { version: 1 }, options: { format: 'A5', landscape: true } })

  t.equal((await call('PUT', `/v1/templates/${made.id}/labels/published`, { body: { version: 2 } })).status, 200)
  t.match(await retry(first.id, { template_label: 'published' }), { status: 202, body: { template: { version: 2 } } })
  t.match(await retry(first.id, { template_label: 'draft' }), {
    status: 404,
    body: { error: { code: 'LABEL_NOT_FOUND' } },
  })
  t.match(await retry(first.id, { template_version: 9 }), {
    status: 404,
    body: { error: { code: 'TEMPLATE_NOT_FOUND' } },
  })
  t.match(await retry(first.id, { template_version: 1, template_label: 'published' }), { status: 400 })
  t.match(await retry(first.id, { templateVersion: 1 }), { status: 400, body: { error: { code: 'VALIDATION_ERROR' } } })
  t.match(await retry(unkept.id, { template_version: 2 }), conflict(/not kept/))
  const inline = (await generate({ html: 'x', retain_input: 1 })).body
  t.match(await retry(inline.id, { template_version: 2 }), conflict(/no template/))

  const key = { 'idempotency-key': 'anew' }
  const once = await retry(first.id, { template_version: 2 }, key)
  t.match(await retry(first.id, { template_version: 2 }, key), { status: 202, body: { id: once.body.id } })
  t.match(await retry(first.id, { template_version: 1 }, key), {
    status: 422,
    body: { error: { code: 'IDEMPOTENCY_KEY_REUSED' } },
  })
})

t.test(
  'the request goes before its template, and the template before the deployment, which sets the most',
  async (t) => {
    const { body: made } = await call('POST', '/v1/templates', { body: { name: 'Keeps', html: 'x', retain_input: 20 } })
    t.equal(made.retain_input, 20)
    isUntil(t, (await generate({ template: 'keeps' })).body, 20)
    isUntil(t, (await generate({ template: 'keeps', retain_input: 4 })).body, 4)
    t.notOk('input_kept_until' in (await generate({ template: 'keeps', retain_input: 0 })).body)
    await using other = await gateway.startAnother({ retainInputDays: 5, retainInputMaxDays: 10 })
    const at = async (body: object) => {
      const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
      const answer = await fetch(`${other.url}/v1/generate`, { method: 'POST', headers, body: JSON.stringify(body) })
      return { status: answer.status, body: await answer.json() }
    }
    isUntil(t, (await at({ html: 'x' })).body as Record<string, string>, 5)
    isUntil(t, (await at({ template: 'keeps' })).body as Record<string, string>, 10)
    t.match(await at({ html: 'x', retain_input: 11 }), {
      status: 400,
      body: { error: { details: [{ path: 'retain_input', message: /must be at most 10: RETAIN_INPUT_MAX_DAYS/ }] } },
    })
    for (const wrong of [-1, 1.5, '7', 366, null])
      t.match(await generate({ html: 'x', retain_input: wrong }), { status: 400 }, String(wrong))
    const removed = await call('PATCH', `/v1/templates/${made.id}`, { body: { retain_input: null } })
    t.notOk('retain_input' in removed.body)
    t.match(await call('POST', '/v1/batches', { body: { html: 'x', retain_input: 1, items: [{}] } }), { status: 400 })
  },
)

t.test('the input is erased with its key, and the receipt says so', async (t) => {
  const { id } = (await generate({ html: 'x', retain_input: 7 })).body
  const [key = ''] = await keptOf(id)
  const bucket = await bus.js.views.kv('INPUT_KEYS')
  t.ok(await bucket.get(id))
  const { status, body } = await erase(id)
  t.equal(status, 200, JSON.stringify(body))
  t.match(body, { objects: 2, sha256: /^[0-9a-f]{64}$/, input_sha256: /^[0-9a-f]{64}$/ })
  t.equal(await bucket.get(id), null)
  t.equal(await objects.info(key), undefined)
  t.notOk('input_kept_until' in (await call('GET', `/v1/generations/${id}`)).body)
  t.match(await retry(id), conflict(/was erased/))
  const events: { type: string; data: unknown }[] = []
  for await (const { type, data } of store.readStream(`generation-${id}`)) events.push({ type, data })
  const [requested] = events
  t.match(requested?.data, { kept_input: { object_key: key, days: 7, sha256: body.input_sha256 } })
  t.match(events.at(-1), {
    type: 'ContentErased',
    data: { input_sha256: body.input_sha256, objects: 2, erased_by: /^key_/ },
  })
  t.match(await erase(id), { status: 200, body: { objects: 0 } })
})

t.test('a retry of what was erased meanwhile is refused, and its copy is deleted', async (t) => {
  const { id } = (await generate({ html: 'x', retain_input: 7 })).body
  const put = objects.put.bind(objects)
  let copy = ''
  objects.put = async (...args) => {
    objects.put = put
    copy = args[0]
    await put(...args)
    t.equal((await erase(id)).status, 200)
  }
  t.match(await retry(id), conflict(/was erased/))
  t.match(copy, /^inputs\/pdf_/)
  t.equal(await objects.info(copy), undefined)
  t.equal(await keptInputs.eraseKey(copy.slice('inputs/'.length).split('.')[0] ?? ''), false, 'nor is there its key')
})

t.test('a retry of which only the input is stored does not know the options of the request', async (t) => {
  await call('POST', '/v1/templates', { body: { name: 'Stored', html: '{{text}}' } })
  const data = { text: 'x'.repeat(700 * 1_024) }
  const large = (await generate({ template: 'stored', data, options: { landscape: true } })).body
  const kept = await retry(large.id, { retain_input: 2 })
  t.match((await ended(kept.body.id)).body, { status: 'completed' })
  isUntil(t, kept.body, 2)
  t.match(await retry(kept.body.id, { template_version: 1 }), conflict(/needs the request itself/))
  const same = await retry(kept.body.id)
  t.match(same, { status: 202, body: { template: { version: 1 } } })
  await ended(same.body.id)
  t.match(await retry(same.body.id, { template_version: 1 }), conflict(/needs the request itself/))
})

t.test('what is not kept any more is said', async (t) => {
  renderer.behaviour = { code: 'RENDER_FAILED', message: 'no' }
  const failed = await generate({ html: 'x', retain_input: 1 })
  renderer.behaviour = 'complete'
  const id = String(failed.headers.get('x-generation-id'))
  t.equal((await retry(id)).status, 202, 'a document that has failed is rendered again')
  const [key = ''] = await keptOf(id)
  await objects.delete(key)
  t.match(await retry(id), conflict(/The input of the generation is not stored any more; send the request again/))

  const past = derivedId('pdf', Date.now() - 2 * dayMs, 'past')
  const kept = { object_key: `inputs/${past}.0123456789abcdef.1`, days: 1, bytes: 1, sha256: 'a' }
  const of = { owner_id: 'own_default', api_key_id: 'key_1', kept_input: kept }
  const event = (type: string, data: object) => ({ id: crypto.randomUUID(), type, data: { ...data } })
  const end = event('GenerationFailed', { code: 'RENDER_FAILED', message: 'x' })
  await store.append(`generation-${past}`, [event('GenerationRequested', of), end], 'none')
  t.match(await retry(past), conflict(/was kept until/))
  t.notOk('input_kept_until' in (await call('GET', `/v1/generations/${past}`)).body)
})

t.test('an owner with its share is told so, and its other documents are printed', async (t) => {
  const owner = (await call('POST', '/v1/owners', { body: { name: 'Keeper' } })).body.id
  const key = await gateway.issueKeyOf(owner)
  const full = { [String(Math.ceil(Date.now() / dayMs) + 1)]: 4 * 2 ** 30 }
  await (await bus.js.views.kv('INPUT_KEYS')).put(`bytes.${owner}`, JSON.stringify(full))
  t.match(await generate({ html: 'x', retain_input: 1 }, key), {
    status: 409,
    body: { error: { code: 'INPUT_LIMIT_EXCEEDED' } },
  })
  t.equal((await call('POST', '/v1/templates', { key, body: { name: 'K', html: 'x', retain_input: 1 } })).status, 201)
  const { status, body } = await generate({ template: 'k' }, key)
  t.equal(status, 200)
  t.notOk('input_kept_until' in body)
  t.match(await retry(body.id), { status: 404 }, 'what another owner has does not exist')

  const bucket = await bus.js.views.kv('INPUT_KEYS')
  const sent = renderer.taken.length
  await bucket.put(`bytes.${owner}`, '{}')
  const kept = (await generate({ html: 'x', retain_input: 1 }, key)).body.id
  await bucket.put(`bytes.${owner}`, JSON.stringify(full))
  const retryOf = (body: object) => call('POST', `/v1/generations/${kept}/retry`, { key, body })
  const refused = await retryOf({})
  t.match(refused, { status: 409, body: { error: { code: 'INPUT_LIMIT_EXCEEDED', message: /retain_input: 0/ } } })
  t.equal(renderer.taken.length, sent + 1, 'it is in no command')
  t.equal((await retryOf({ retain_input: 0 })).status, 202)
})

t.test('a full store of keys is no reason to refuse a document', async (t) => {
  const stream = 'KV_INPUT_KEYS'
  const { config } = await bus.jsm.streams.info(stream)
  await bus.jsm.streams.update(stream, { ...config, max_bytes: 1, discard: DiscardPolicy.New })
  t.equal((await call('POST', '/v1/templates', { body: { name: 'Full', html: 'x', retain_input: 1 } })).status, 201)
  t.match(await generate({ template: 'full' }), { status: 200, body: { status: 'completed' } })
  t.match(await generate({ html: 'x', retain_input: 1 }), {
    status: 409,
    body: { error: { code: 'INPUT_LIMIT_EXCEEDED' } },
  })
  t.equal((await generate({ html: 'x' })).status, 200)
  await t.resolves(bus.check(), 'it says nothing of the disk')
  await bus.jsm.streams.update(stream, config)
})
