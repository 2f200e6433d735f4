import { ownScopes } from '@platen/domain/api-key/api-key.ts'
import { apiKeyId } from '@platen/domain/api-key/api-keys.ts'
import { createOwner } from '@platen/domain/owner/owners.ts'
import { newId } from '@platen/foundation/runtime/ids.ts'
import {
  type Answer,
  apiKey,
  type Call,
  eventually,
  startTestGateway,
} from '@platen/test-support/gateway/test-gateway.ts'
import t from 'tap'

const gateway = await startTestGateway()
t.teardown(() => gateway[Symbol.asyncDispose]())
const { call, renderer, services } = gateway
const acme = await createOwner(services.store, 'Acme')
const globex = await createOwner(services.store, 'Globex')
const acmeKey = await gateway.issueKeyOf(acme, ...ownScopes)
const globexKey = await gateway.issueKeyOf(globex, ...ownScopes)
const globexAdmin = await gateway.issueKeyOf(globex, 'admin')

const create = (key: string, name: string, html = 'x') =>
  call('POST', '/v1/templates', { key, body: { name, html } }).then(({ body }) => body)
const generate = (key: string, body: object, headers = {}) => call('POST', '/v1/generate', { key, body, headers })
const ids = ({ body }: Answer) => body.data.map(({ id }: { id: string }) => id)

interface Operation {
  method: string
  path: string
  parameters: { name: string; in: string; required?: boolean; example?: string }[]
  /** The first example of the JSON body. */
  body: unknown
}

/** Every operation of the API that needs a key. */
async function operations(): Promise<Operation[]> {
  const { body } = await call('GET', '/openapi.json', { key: null })
  const paths: Record<string, Record<string, DescribedOperation>> = body.paths
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { parameters = [], requestBody, security }]) =>
      security === undefined ? [{ method: method.toUpperCase(), path, parameters, body: exampleOf(requestBody) }] : [],
    ),
  )
}

interface DescribedOperation {
  parameters?: Operation['parameters']
  requestBody?: { content: Record<string, { example?: unknown; examples?: Record<string, { value: unknown }> }> }
  security?: []
}

function exampleOf(body: DescribedOperation['requestBody']): unknown {
  const { example, examples = {} } = body?.content['application/json'] ?? {}
  return example ?? Object.values(examples)[0]?.value
}

/** The path with `id` as its first parameter, and the examples of all others that are required. */
function pathWith({ path, parameters }: Operation, id: string): string {
  const exampleFor = (name = '') => parameters.find((parameter) => parameter.name === name)?.example ?? ''
  const filled = path.replace(/\{\w+\}/, id).replace(/\{(\w+)\}/g, (_, name) => exampleFor(name))
  const query = parameters.filter((parameter) => parameter.in === 'query' && parameter.required)
  return query.length === 0 ? filled : `${filled}?${query.map(({ name, example }) => `${name}=${example}`).join('&')}`
}

/** The kind of id in a path under /v1. Others have the id of a generation. */
const kinds: Record<string, 'tpl' | 'prt' | 'key' | 'msg' | 'bat'> = {
  templates: 'tpl',
  partials: 'prt',
  keys: 'key',
  deliveries: 'msg',
  batches: 'bat',
}

const bodyOf = ({ body }: Operation): Pick<Call, 'body'> => (body === undefined ? {} : { body })

t.test("another owner's ids answer the same as unknown ids, on every route", async (t) => {
  const { id, slug } = await create(acmeKey, 'Secret plans')
  const { body: completed } = await generate(acmeKey, { html: 'x' })
  renderer.behaviour = 'held'
  const { body: held } = await generate(acmeKey, { html: 'x', async: true })
  await eventually(async () => {
    const { body } = await call('GET', `/v1/generations/${held.id}`, { key: acmeKey })
    if (body.status !== 'rendering') throw new Error(`still ${body.status}`)
  })
  const delivery = newId('msg')
  const scheduled = {
    generation_id: completed.id,
    owner_id: acme,
    api_key_id: apiKeyId(acmeKey),
    url: 'https://x.test',
  }
  const data = { ...scheduled, event_id: 'x', body: '{}', next_at: new Date().toISOString() }
  await services.store.append(
    `delivery-${delivery}`,
    [{ id: crypto.randomUUID(), type: 'DeliveryScheduled', data }],
    'none',
  )
  t.equal((await call('GET', `/v1/deliveries/${delivery}`, { key: acmeKey })).status, 200)
  const partial = (await call('POST', '/v1/partials', { key: acmeKey, body: { name: 'secret', html: 'x' } })).body
  const batch = (await call('POST', '/v1/batches', { key: acmeKey, body: { items: [{ html: 'x' }] } })).body
  const known = {
    tpl: [id, slug],
    prt: [partial.id, 'secret'],
    pdf: [completed.id, held.id],
    key: [apiKeyId(acmeKey)],
    msg: [delivery],
    bat: [batch.id],
  }
  const unknown = {
    tpl: 'tpl_00000000000000000000000000',
    prt: 'prt_00000000000000000000000000',
    pdf: 'pdf_00000000000000000000000000',
    key: apiKeyId('none'),
    msg: newId('msg'),
    bat: newId('bat'),
  }
  const state = async () => [
    (await call('GET', `/v1/templates/${id}`, { key: acmeKey })).body,
    (await call('GET', `/v1/generations/${completed.id}`, { key: acmeKey })).body.status,
    (await call('GET', `/v1/generations/${held.id}`, { key: acmeKey })).body.status,
  ]
  const before = await state()
  /** All of an answer but what differs in each, and the id itself. */
  const comparable = ({ status, body, headers }: Answer, asked: string) => {
    const { request_id: _, ...rest } = body ?? {}
    const changing = ['date', 'x-request-id', 'x-generation-id', 'content-length']
    const kept = [...headers].filter(([name]) => !changing.includes(name))
    return JSON.parse(JSON.stringify({ status, rest, kept }).replaceAll(asked, 'ID'))
  }
  let compared = 0
  const compare = async (kind: keyof typeof known, ask: (id: string) => Promise<Answer>, what: string) => {
    const expected = comparable(await ask(unknown[kind]), unknown[kind])
    t.equal(expected.status, 404, what)
    for (const theirs of known[kind]) t.same(comparable(await ask(theirs), theirs), expected, `${what}: ${theirs}`)
    compared++
  }
  for (const operation of await operations()) {
    const { method, path } = operation
    const [parameter] = path.match(/\{\w+\}/) ?? []
    if (parameter === undefined || /^\/v1\/(owners|dead-letters|streams)\//.test(path)) continue
    // These two store something of one's own under a name that others may use, too.
    if (method === 'PUT' && ['/v1/assets/{name}', '/v1/templates/by-slug/{slug}'].includes(path)) continue
    const kind = kinds[path.split('/')[2] ?? ''] ?? 'pdf'
    const key = kind === 'key' ? globexAdmin : globexKey
    for (const headers of [{}, { 'if-match': '"1"', 'if-none-match': '"1"' }]) {
      const ask = (one: string) => call(method, pathWith(operation, one), { key, headers, ...bodyOf(operation) })
      await compare(kind, ask, `${method} ${path} ${Object.keys(headers)}`)
    }
  }
  t.ok(compared >= 16, `${compared} routes`)
  for (const more of [{}, { template_version: 1 }, { async: true }, { data: {} }]) {
    await compare('tpl', (template) => generate(globexKey, { template, ...more }), `POST /v1/generate ${more}`)
  }
  await compare('pdf', (one) => call('GET', `/v1/generations/${one}?wait=1`, { key: globexKey }), 'a long poll')
  for (const template of [id, slug, unknown.tpl]) {
    const listed = await call('GET', `/v1/generations?template=${template}`, { key: globexKey })
    t.same(listed.body, { data: [] })
  }
  t.same(await state(), before, 'and nothing has changed')
  renderer.behaviour = 'complete'
  renderer.release()
})

t.test('each owner has its own slugs, and a template is found by slug among its own', async (t) => {
  const [mine, theirs] = [await create(acmeKey, 'Invoice', 'mine'), await create(globexKey, 'Invoice', 'theirs')]
  t.same([mine.slug, theirs.slug], ['invoice', 'invoice'])
  t.equal((await create(acmeKey, 'Invoice')).slug, 'invoice-2')
  for (const [key, { id }] of [
    [acmeKey, mine],
    [globexKey, theirs],
  ] as const) {
    t.equal((await call('GET', '/v1/templates/invoice', { key })).body.id, id)
    t.match(await generate(key, { template: 'invoice' }), { status: 200, body: { template: { id } } })
    const listed = await call('GET', '/v1/templates', { key })
    t.ok(ids(listed).includes(id))
    const generations = await call('GET', '/v1/generations?template=invoice', { key })
    t.match(generations.body.data, [{ template: { id } }])
    t.equal(generations.body.data.length, 1)
  }
  t.notOk(ids(await call('GET', '/v1/templates', { key: globexKey })).includes(mine.id))
  t.equal((await call('DELETE', '/v1/templates/invoice', { key: globexKey })).status, 204)
  t.equal((await call('GET', '/v1/templates/invoice', { key: acmeKey })).body.id, mine.id)
  t.equal((await create(globexKey, 'Invoice')).slug, 'invoice', 'the slug is free again')
})

t.test('queued and finished generations are listed for all keys of their owner, and for no other', async (t) => {
  const reader = await gateway.issueKeyOf(acme, 'generations:read')
  renderer.behaviour = 'held'
  const { body: queued } = await generate(acmeKey, { html: 'x', async: true })
  const list = (key: string) => call('GET', '/v1/generations', { key })
  t.equal(ids(await list(acmeKey))[0], queued.id)
  t.same(ids(await list(reader)), ids(await list(acmeKey)))
  t.notOk(ids(await list(globexKey)).includes(queued.id))
  renderer.behaviour = 'complete'
  renderer.release()
  const { body } = await call('GET', `/v1/generations/${queued.id}?wait=10`, { key: reader })
  t.match(body, { status: 'completed' })
  t.equal((await call('GET', body.url, { key: null })).status, 200, 'a reader fetches the file')
  t.equal((await call('DELETE', `/v1/generations/${queued.id}`, { key: reader })).status, 403)
})

t.test('all keys of an owner share its webhook secret and its Idempotency-Keys', async (t) => {
  const second = await gateway.issueKeyOf(acme, ...ownScopes)
  const secretFor = async (key: string) => (await call('GET', '/v1/webhook-secret', { key })).body.secret
  t.equal(await secretFor(second), await secretFor(acmeKey))
  t.not(await secretFor(globexKey), await secretFor(acmeKey))
  for (const [path, body] of [
    ['/v1/generate', { html: 'once' }],
    ['/v1/templates', { name: 'Once', html: 'x' }],
  ] as const) {
    const post = (key: string) => call('POST', path, { key, body, headers: { 'idempotency-key': 'one' } })
    const first = await post(acmeKey)
    const repeated = await post(second)
    t.equal(repeated.body.id, first.body.id)
    t.equal(repeated.headers.get('idempotency-replayed'), 'true')
    const other = await post(globexKey)
    t.not(other.body.id, first.body.id)
    t.equal(other.headers.get('idempotency-replayed'), null)
  }
})

const withOwner = (path: string, owner: string) => `${path}${path.includes('?') ? '&' : '?'}owner=${owner}`

/** They are about all owners or about the key itself, and have nothing of one owner. */
const ofAllOwners = /^\/v1\/(owners|session|events|streams|dead-letters\/(retry|drop))/

t.test('?owner= needs the scope admin, on every route', async (t) => {
  let tried = 0
  for (const operation of await operations()) {
    const { method, path, parameters } = operation
    if (ofAllOwners.test(path)) continue
    t.ok(
      parameters.some(({ name, in: place }) => name === 'owner' && place === 'query'),
      `${method} ${path} describes owner`,
    )
    for (const owner of [globex, acme, 'own_none', '']) {
      const at = withOwner(pathWith(operation, 'tpl_x'), owner)
      const answer = await call(method, at, { key: acmeKey, ...bodyOf(operation) })
      t.match(answer, { status: 403, body: { error: { code: 'FORBIDDEN', message: /admin/ } } }, `${method} ${at}`)
      tried++
    }
    const unknown = await call(method, withOwner(pathWith(operation, 'x'), 'own_none'), bodyOf(operation))
    t.match(unknown, { status: 404, body: { error: { code: 'OWNER_NOT_FOUND' } } }, `${method} ${path}`)
    const twice = await call(method, withOwner(pathWith(operation, 'x'), `${acme}&owner=${globex}`), bodyOf(operation))
    t.match(twice, { status: 400, body: { error: { code: 'VALIDATION_ERROR', details: [{ path: 'owner' }] } } })
  }
  t.ok(tried >= 40, `${tried} requests`)
})

t.test('admin acts for another owner with ?owner=', async (t) => {
  const template = await create(acmeKey, 'For the operator')
  const at = (path: string) => `${path}${path.includes('?') ? '&' : '?'}owner=${acme}`
  const admin = (method: string, path: string, options: Call = {}) => call(method, path, { key: apiKey, ...options })
  t.equal((await admin('GET', `/v1/templates/${template.id}`)).status, 404, 'without ?owner= its own')
  t.same((await admin('GET', at('/v1/templates/for-the-operator'))).body, template)
  t.same(ids(await admin('GET', at('/v1/templates'))), ids(await call('GET', '/v1/templates', { key: acmeKey })))
  const made = await admin('POST', at('/v1/templates'), { body: { name: 'By the operator', html: 'x' } })
  t.equal((await call('GET', '/v1/templates/by-the-operator', { key: acmeKey })).body.id, made.body.id)
  t.equal((await admin('PATCH', at(`/v1/templates/${made.body.id}`), { body: { html: 'y' } })).body.version, 2)
  t.equal((await admin('DELETE', at('/v1/templates/by-the-operator'))).status, 204)
  const { body } = await admin('POST', at('/v1/generate'), { body: { template: template.id } })
  t.match(await call('GET', `/v1/generations/${body.id}`, { key: acmeKey }), { status: 200 })
  t.equal((await admin('GET', `/v1/generations/${body.id}`)).status, 404)
  t.equal((await admin('GET', at(`/v1/generations/${body.id}`))).status, 200)
  t.same(
    (await admin('GET', at('/v1/webhook-secret'))).body,
    (await call('GET', '/v1/webhook-secret', { key: acmeKey })).body,
  )
})
