import { ownScopes } from '@platen/domain/api-key/api-key.ts'
import {
  apiKey,
  type Call,
  callGateway,
  eventually,
  startTestGateway,
} from '@platen/test-support/gateway/test-gateway.ts'
import t, { type Test } from 'tap'

const gateway = await startTestGateway()
t.teardown(() => gateway[Symbol.asyncDispose]())
const { call } = gateway

const post = (path: string, body: object, options: Call = {}) => call('POST', path, { body, ...options })
const templatesWith = async (key: string) => (await call('GET', '/v1/templates', { key })).status
const isRefused = (t: Test, answer: object, status: number, code: string) =>
  t.match(answer, { status, body: { error: { code } } }, code)

t.test('a key is issued, used, rotated and revoked', async (t) => {
  const issued = await post('/v1/keys', { name: 'Shop', scopes: ['templates:read'] })
  t.match(issued, { status: 201, body: { id: /^key_/, key: /^pk_[0-9A-Za-z]{43}$/, status: 'active' } })
  t.equal(issued.headers.get('cache-control'), 'no-store')
  const { key, ...described } = issued.body
  t.equal(issued.headers.get('location'), `${gateway.url}/v1/keys/${described.id}`)
  t.same(described, {
    id: described.id,
    owner_id: 'own_default',
    name: 'Shop',
    prefix: key.slice(0, 7),
    scopes: ['templates:read'],
    status: 'active',
    created_at: described.created_at,
  })
  const path = `/v1/keys/${described.id}`
  t.same((await call('GET', path)).body, described)

  t.equal(await templatesWith(key), 200)
  t.equal((await call('GET', '/v1/generations', { key })).status, 403)
  const used = await eventually(async () => {
    const { body } = await call('GET', path)
    if (body.last_used_at === undefined) throw new Error('the use is not recorded yet')
    return body
  })
  t.ok(Date.parse(used.last_used_at) >= Date.parse(described.created_at))
  t.equal(await templatesWith(key), 200)
  t.equal((await call('GET', path)).body.last_used_at, used.last_used_at, 'exact to the hour')

  const rotated = await call('POST', `${path}/rotate?grace_s=3600`)
  t.match(rotated, { status: 200, body: { id: described.id, name: 'Shop', key: /^pk_/ } })
  const second = rotated.body.key
  t.equal(rotated.body.prefix, second.slice(0, 7))
  t.ok(Date.parse(rotated.body.previous_valid_until) > Date.now())
  t.same([await templatesWith(key), await templatesWith(second)], [200, 200])
  const json = { 'content-type': 'application/json' }
  const third = (await call('POST', `${path}/rotate`, { headers: json })).body.key
  t.same([await templatesWith(key), await templatesWith(second), await templatesWith(third)], [401, 401, 200])

  t.equal((await call('DELETE', path)).status, 204)
  t.equal(await templatesWith(third), 401)
  t.match((await call('GET', path)).body, { status: 'revoked' })
  t.equal((await call('DELETE', path)).status, 204, 'again')
  isRefused(t, await call('POST', `${path}/rotate`), 409, 'CONFLICT')
  const { body } = await call('GET', '/v1/keys')
  t.match(body.data[0], { id: described.id, status: 'revoked' })
  t.notMatch(JSON.stringify([body, used]), /pk_[0-9A-Za-z]{10}/, 'no response has the secret')
})

t.test('a rotation whose answer was lost is repeated with the secret that was replaced', async (t) => {
  const first = (await post('/v1/keys', { name: 'Itself', scopes: ['admin'] })).body
  const rotate = async (key: string, query = '?grace_s=3600') =>
    (await call('POST', `/v1/keys/${first.id}/rotate${query}`, { key })).body.key as string
  const lost = await rotate(first.key)
  const second = await rotate(first.key)
  const statusOf = async (key: string) => (await call('GET', '/v1/keys', { key })).status
  t.same(await Promise.all([first.key, lost, second].map(statusOf)), [200, 200, 200])
  const last = await rotate(first.key, '')
  t.same(await Promise.all([first.key, lost, second, last].map(statusOf)), [401, 401, 401, 200])
})

t.test('keys are listed in pages, newest first', async (t) => {
  const owner = (await post('/v1/owners', { name: 'Paged' })).body.id
  const at = (path: string) => `${path}${path.includes('?') ? '&' : '?'}owner=${owner}`
  const ids: string[] = []
  for (let number = 0; number < 5; number++) {
    ids.unshift((await post(at('/v1/keys'), { name: `${number}`, scopes: ['generate'] })).body.id)
  }
  const listed: string[] = []
  for (let cursor = ''; listed.length < 10; ) {
    const { body } = await call('GET', at(`/v1/keys?limit=2${cursor}`))
    listed.push(...body.data.map(({ id }: { id: string }) => id))
    if (body.next_cursor === undefined) break
    cursor = `&cursor=${body.next_cursor}`
  }
  t.same(listed, ids)
})

t.test('invalid requests for keys and owners are refused', async (t) => {
  const scopes = ['generate']
  for (const body of [{}, { name: 'x' }, { scopes }, { name: ' ', scopes }, { name: 'x'.repeat(101), scopes }]) {
    isRefused(t, await post('/v1/keys', body), 400, 'VALIDATION_ERROR')
  }
  for (const wrong of [[], ['all'], ['generate', 'generate'], 'generate', null]) {
    isRefused(t, await post('/v1/keys', { name: 'x', scopes: wrong }), 400, 'VALIDATION_ERROR')
  }
  for (const query of ['grace_s=-1', 'grace_s=1e9', 'grace_s=1h', 'grace=1']) {
    isRefused(t, await call('POST', `/v1/keys/key_x/rotate?${query}`), 400, 'VALIDATION_ERROR')
  }
  isRefused(t, await call('POST', '/v1/keys/key_x/rotate'), 404, 'API_KEY_NOT_FOUND')
  const withBody = await post('/v1/keys/key_x/rotate', { grace_s: 3600 })
  t.match(withBody, { status: 400, body: { error: { details: [{ path: 'grace_s', message: /takes no body/ }] } } })
  isRefused(t, await post('/v1/keys/key_x/rotate', {}), 404, 'API_KEY_NOT_FOUND')
  for (const unknown of ['/v1/unknown', '/unknown']) isRefused(t, await post(unknown, { a: 1 }), 404, 'NOT_FOUND')
  isRefused(t, await post('/v1/owners', {}), 400, 'VALIDATION_ERROR')
  isRefused(t, await call('GET', '/v1/owners/own_none'), 404, 'OWNER_NOT_FOUND')
  isRefused(t, await call('PATCH', '/v1/owners/own_none', { body: { name: 'x' } }), 404, 'OWNER_NOT_FOUND')
  isRefused(t, await call('PATCH', '/v1/owners/own_default', { body: {} }), 400, 'VALIDATION_ERROR')
  const headers = { 'content-type': 'application/merge-patch+json' }
  isRefused(t, await call('PATCH', '/v1/owners/own_default', { body: { nam: 'x' }, headers }), 400, 'VALIDATION_ERROR')
  t.match(await call('PATCH', '/v1/owners/own_default', { body: { status: 'active' }, headers }), { status: 200 })
  isRefused(t, await call('GET', '/v1/keys?cursor=x'), 400, 'VALIDATION_ERROR')
})

t.test('an owner is created, given a key, renamed, disabled and enabled', async (t) => {
  const created = await post('/v1/owners', { name: 'Acme' })
  t.match(created, {
    status: 201,
    body: { id: /^own_[0-9a-z]{26}$/, name: 'Acme', status: 'active', created_at: /Z$/ },
  })
  const { id } = created.body
  const path = `/v1/owners/${id}`
  t.equal(created.headers.get('location'), gateway.url + path)
  const { key, owner_id } = (await post(`/v1/keys?owner=${id}`, { name: 'Acme', scopes: ownScopes })).body
  t.equal(owner_id, id)
  t.equal((await post('/v1/templates', { name: 'Acme', html: 'x' }, { key })).status, 201)
  t.equal((await call('GET', '/v1/templates/acme')).status, 404)
  t.equal((await call('GET', `/v1/templates/acme?owner=${id}`)).status, 200)

  const change = (body: object) => call('PATCH', path, { body })
  t.match(await change({ name: 'Acme Ltd', status: 'disabled' }), { body: { name: 'Acme Ltd', status: 'disabled' } })
  t.match(await call('GET', '/v1/templates', { key }), { status: 403, body: { error: { message: /disabled/ } } })
  t.match(await change({ status: 'active' }), { status: 200, body: { id, name: 'Acme Ltd', status: 'active' } })
  t.equal(await templatesWith(key), 200)
  t.match(await call('PATCH', '/v1/owners/own_default', { body: { status: 'disabled' } }), { status: 409 })

  const ids: string[] = []
  for (let cursor = ''; ids.length < 10; ) {
    const { body } = await call('GET', `/v1/owners?limit=1${cursor}`)
    ids.push(...body.data.map((owner: { id: string }) => owner.id))
    if (body.next_cursor === undefined) break
    cursor = `&cursor=${body.next_cursor}`
  }
  t.same(ids.slice(0, 2), ['own_default', id])
  t.equal(new Set(ids).size, ids.length)
})

t.test('the webhook secret of an owner is rotated', async (t) => {
  const { id } = (await post('/v1/owners', { name: 'Hooks' })).body
  const { key } = (await post(`/v1/keys?owner=${id}`, { name: 'x', scopes: ['generate'] })).body
  const secret = async () => (await call('GET', '/v1/webhook-secret', { key })).body.secret
  const first = await secret()
  const rotated = await call('POST', `/v1/webhook-secret/rotate?owner=${id}`)
  t.equal(rotated.status, 200)
  t.not(rotated.body.secret, first)
  t.equal(await secret(), rotated.body.secret)
})

t.test('another gateway accepts a new key and a new owner at once, and refuses a revoked key', async (t) => {
  await using other = await gateway.startAnother()
  const callOther = (path: string, key = apiKey) => callGateway(other.url, 'GET', path, { key })
  // Several attempts, because a view is sometimes fast enough.
  for (let round = 0; round < 5; round++) {
    const { key } = (await post('/v1/keys', { name: 'x', scopes: ['templates:read'] })).body
    t.equal((await callOther('/v1/templates', key)).status, 200)
    const owner = (await post('/v1/owners', { name: 'New' })).body.id
    t.equal((await callOther(`/v1/templates?owner=${owner}`)).status, 200)
  }
  const { id, key } = (await post('/v1/keys', { name: 'x', scopes: ['templates:read'] })).body
  await call('DELETE', `/v1/keys/${id}`)
  await eventually(async () => {
    const { status } = await callOther('/v1/templates', key)
    if (status !== 401) throw new Error(`still ${status}`)
  })
})
