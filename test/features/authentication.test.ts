import { join } from 'node:path'
import { allScopes, type Scope } from '@platen/domain/api-key/api-key.ts'
import { issueApiKey, newApiKey, revokeApiKey } from '@platen/domain/api-key/api-keys.ts'
import type { Generation } from '@platen/domain/generation/generation.ts'
import { defaultOwnerId } from '@platen/domain/ids/owner-id.ts'
import { createOwner } from '@platen/domain/owner/owners.ts'
import { openEventStore } from '@platen/event-store/adapters/open-event-store.ts'
import t from 'tap'
import { readJson, startPlaten } from '../support/platen.ts'
import { generate } from '../support/print.ts'
import { until } from '../support/until.ts'

const platen = await startPlaten()
t.teardown(() => platen[Symbol.asyncDispose]())
const store = await openEventStore(`sqlite:${join(platen.dataDir, 'events.db')}`)
t.teardown(() => store.close())

const bearer = (key: string) => ({ authorization: `Bearer ${key}` })
const { generation } = await generate(platen, { html: 'Mine' })

/** Issues a key as `platen keys issue` does, and waits until the running gateway accepts it. */
const issue = (...scopes: Scope[]) => issueFor(defaultOwnerId, ...scopes)

async function issueFor(ownerId: string, ...scopes: Scope[]): Promise<{ id: string; key: string }> {
  const key = newApiKey()
  const id = await issueApiKey(store, { key, name: 'test', scopes, ownerId })
  await untilStatus(key, (status) => status !== 401)
  return { id, key }
}

async function untilStatus(key: string, wanted: (status: number) => boolean): Promise<void> {
  const check = async () => {
    const response = await platen.request('/v1/nothing', { headers: bearer(key) })
    await response.body?.cancel()
    return wanted(response.status) || undefined
  }
  await until(check, 'the gateway did not update its API keys')
}

t.test('a request without a valid API key answers 401', async (t) => {
  const credentials: Record<string, string | undefined> = {
    none: undefined,
    empty: '',
    'a scheme without a key': 'Bearer',
    'an unknown key': `Bearer ${newApiKey()}`,
    'another scheme': `Digest ${platen.apiKey}`,
    'a key as the password of Basic': `Basic ${Buffer.from(`user:${platen.apiKey}`).toString('base64')}`,
    'a key without a scheme': platen.apiKey,
    'a shortened key': `Bearer ${platen.apiKey.slice(0, -1)}`,
    'a lengthened key': `Bearer ${platen.apiKey}x`,
    'two keys': `Bearer ${platen.apiKey} ${platen.apiKey}`,
  }
  const { body: api } = await platen.json<{ paths: Record<string, object> }>('/openapi.json')
  const paths = Object.entries(api.paths).filter(([path]) => /^\/v1\/(?!files\/)/.test(path))
  const idIn = (path: string) => (path.startsWith('/v1/generations/') ? generation.id : 'x')
  const routes = paths.flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => [method.toUpperCase(), path.replace(/\{\w+\}/g, idIn(path))] as const),
  )
  t.ok(routes.length > 45, `${routes.length} operations need a key`)
  routes.push(['GET', '/v1/nothing'])
  for (const [what, authorization] of Object.entries(credentials)) {
    // Only some pairs, because an address that sends many unknown keys is limited.
    for (const [method, path] of authorization === undefined ? routes : routes.slice(0, 6)) {
      const headers = authorization === undefined ? {} : { authorization }
      const { status, body, headers: answered } = await readJson(await fetch(platen.url + path, { method, headers }))
      t.equal(status, 401, `${method} ${path} with ${what}`)
      t.match(body, { error: { code: 'UNAUTHORIZED' }, request_id: /^req_/ })
      t.match(answered.get('www-authenticate'), /^Bearer/)
    }
  }
  t.equal(
    (await platen.request('/v1/templates', { headers: { authorization: `bearer ${platen.apiKey}` } })).status,
    200,
  )
})

t.test('an invalid API key answers 401 before the body is read', async (t) => {
  for (const body of ['{"broken', 'x'.repeat(7 * 1024 * 1024)]) {
    const headers = { ...bearer('pk_wrong'), 'content-type': 'application/json' }
    const { status } = await readJson(await fetch(`${platen.url}/v1/generate`, { method: 'POST', headers, body }))
    t.equal(status, 401)
  }
})

t.test('a request without the scope it needs answers 403 and names the scope', async (t) => {
  const calls: [scope: Scope, method: string, path: string, body?: object][] = [
    ['templates:read', 'GET', '/v1/templates'],
    ['templates:read', 'GET', '/v1/templates/none'],
    ['templates:read', 'GET', '/v1/partials'],
    ['templates:read', 'GET', '/v1/partials/none'],
    ['templates:read', 'GET', '/v1/partials/none/usage'],
    ['templates:read', 'GET', '/v1/partials/none/versions'],
    ['templates:read', 'GET', '/v1/partials/none/versions/1'],
    ['templates:write', 'POST', '/v1/partials', { name: 'scoped', html: 'x' }],
    ['templates:write', 'PATCH', '/v1/partials/none', { html: 'x' }],
    ['templates:write', 'DELETE', '/v1/partials/none'],
    ['templates:write', 'POST', '/v1/templates', { name: 'Scoped', html: 'x' }],
    ['templates:write', 'PATCH', '/v1/templates/none', { html: 'x' }],
    ['templates:write', 'DELETE', '/v1/templates/none'],
    ['generate', 'POST', '/v1/generate', { html: 'x' }],
    ['generate', 'POST', '/v1/preview', { template: 'none' }],
    ['generations:read', 'GET', '/v1/generations'],
    ['generations:read', 'GET', '/v1/generations/pdf_00000000000000000000000000'],
    ['generations:read', 'GET', '/v1/generations/pdf_00000000000000000000000000/file'],
    ['admin', 'GET', '/v1/keys'],
    ['admin', 'POST', '/v1/keys', { name: 'x', scopes: ['generate'] }],
    ['admin', 'DELETE', '/v1/keys/key_x'],
    ['admin', 'POST', '/v1/keys/key_x/rotate', {}],
    ['admin', 'GET', '/v1/owners'],
    ['admin', 'POST', '/v1/owners', { name: 'x' }],
    ['admin', 'PATCH', '/v1/owners/own_x', { name: 'x' }],
    ['admin', 'POST', '/v1/webhook-secret/rotate'],
  ]
  for (const granted of allScopes) {
    const { key } = await issue(granted)
    for (const [needed, method, path, body] of calls) {
      const { status, body: answer } = await platen.json(path, {
        method,
        headers: bearer(key),
        ...(body && { body }),
      })
      const what = `${method} ${path} with ${granted}`
      if (granted === needed || granted === 'admin') t.notOk([401, 403].includes(status), `${what}: ${status}`)
      else {
        t.equal(status, 403, what)
        t.match(answer, { error: { code: 'FORBIDDEN', message: needed } }, what)
      }
    }
  }
})

t.test('the API keys of an owner share everything, and another owner has nothing of it', async (t) => {
  const ownerId = await createOwner(store, 'Another')
  const { key: colleague } = await issue(...allScopes)
  const { key: stranger } = await issueFor(ownerId, ...allScopes)
  await platen.json('/v1/templates', { body: { name: 'Ours', html: 'x' } })
  for (const path of [`/v1/generations/${generation.id}`, '/v1/templates/ours']) {
    t.equal((await platen.request(path, { headers: bearer(colleague) })).status, 200, path)
    for (const method of ['GET', 'DELETE']) {
      const { status, body } = await platen.json(path, { method, headers: bearer(stranger) })
      t.equal(status, 404, `${method} ${path}`)
      t.match(body, { error: { code: /^(GENERATION|TEMPLATE)_NOT_FOUND$/ } })
    }
  }
  const headers = bearer(stranger)
  t.strictSame((await platen.json('/v1/generations', { headers })).body, { data: [] })
  t.strictSame((await platen.json('/v1/templates', { headers })).body, { data: [] })
  const { body: theirs } = await platen.json<Generation>('/v1/generate', { body: { html: 'Theirs' }, headers })
  t.equal((await platen.request(`/v1/generations/${theirs.id}`)).status, 404)
  t.equal((await platen.request(`/v1/generations/${theirs.id}`, { headers })).status, 200)
  const { body: queued } = await platen.json<Generation>('/v1/generate', { body: { html: 'x', async: true }, headers })
  t.equal((await platen.request(`/v1/generations/${queued.id}`)).status, 404)
  const secrets = await Promise.all(
    [platen.apiKey, colleague, stranger].map((one) =>
      platen.json<{ secret: string }>('/v1/webhook-secret', { headers: bearer(one) }),
    ),
  )
  t.equal(new Set(secrets.map(({ body }) => body.secret)).size, 2, 'each owner has its own webhook secret')
})

t.test('a revoked key answers the same error as an unknown key', async (t) => {
  const { id, key } = await issue(...allScopes)
  await revokeApiKey(store, id)
  await untilStatus(key, (status) => status === 401)
  const errorFor = async (one: string) =>
    (await platen.json<{ error: object }>('/v1/templates', { headers: bearer(one) })).body.error
  t.strictSame(await errorFor(key), await errorFor(newApiKey()))
})

t.test('the log contains no API key', async (t) => {
  t.notMatch(platen.output(), platen.apiKey)
})

t.test('health, metrics and the API documentation need no API key', async (t) => {
  for (const path of ['/livez', '/readyz', '/metrics', '/openapi.json', '/docs']) {
    t.equal((await fetch(platen.url + path)).status, 200, path)
  }
})
