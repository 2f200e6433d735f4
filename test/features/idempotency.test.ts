import { join } from 'node:path'
import { allScopes } from '@platen/domain/api-key/api-key.ts'
import { issueApiKey, newApiKey } from '@platen/domain/api-key/api-keys.ts'
import type { Generation } from '@platen/domain/generation/generation.ts'
import { createOwner } from '@platen/domain/owner/owners.ts'
import type { Template } from '@platen/domain/template/template.ts'
import { openEventStore } from '@platen/event-store/adapters/open-event-store.ts'
import t from 'tap'
import { startPlaten } from '../support/platen.ts'
import { until } from '../support/until.ts'

const platen = await startPlaten()
t.teardown(() => platen[Symbol.asyncDispose]())

const generate = (key: string, body: object, headers = {}) =>
  platen.json<Generation>('/v1/generate', { body, headers: { 'idempotency-key': key, ...headers } })
const create = (key: string, body: object) =>
  platen.json<Template>('/v1/templates', { body, headers: { 'idempotency-key': key } })
const replayed = ({ headers }: { headers: Headers }) => headers.get('idempotency-replayed')
const generations = async () => (await platen.json<{ data: Generation[] }>('/v1/generations?limit=100')).body.data

t.test('a hundred equal requests at the same time make one generation', async (t) => {
  const before = (await generations()).length
  const body = { html: '<p>Once', async: true }
  const answers = await Promise.all(Array.from({ length: 100 }, () => generate('hundred', body)))
  t.strictSame(new Set(answers.map(({ status }) => status)), new Set([202]))
  const [id = '', ...others] = new Set(answers.map(({ body }) => body.id))
  t.strictSame(others, [])
  t.equal((await platen.json<Generation>(`/v1/generations/${id}?wait=30`)).body.status, 'completed')
  t.equal((await generations()).length, before + 1)
})

t.test('equal synchronous requests at the same time share one generation', async (t) => {
  const answers = await Promise.all(Array.from({ length: 10 }, () => generate('sync', { html: '<p>Sync' })))
  t.strictSame(new Set(answers.map(({ status }) => status)), new Set([200]))
  t.equal(new Set(answers.map(({ body }) => body.id)).size, 1)
})

t.test('a repeated request answers the same with Idempotency-Replayed', async (t) => {
  const first = await generate('again', { html: '<p>Again', async: true })
  t.equal(replayed(first), null)
  const second = await generate('again', { async: true, html: '<p>Again' })
  t.equal(second.status, 202)
  t.equal(replayed(second), 'true')
  t.strictSame(second.body, first.body)
})

t.test('the same key with another body answers 422', async (t) => {
  await generate('other', { html: '<p>One', async: true })
  const other = await generate('other', { html: '<p>Two', async: true })
  t.equal(other.status, 422)
  t.match(other.body, { error: { code: 'IDEMPOTENCY_KEY_REUSED' } })
})

t.test('a refused request does not use its key up', async (t) => {
  t.equal((await generate('refused', { html: 5 })).status, 400)
  t.equal((await generate('refused', { template: 'later' })).status, 404)
  await platen.json('/v1/templates', { body: { name: 'Later', html: 'x' } })
  t.equal((await generate('refused', { template: 'later' })).status, 200)
})

t.test('equal requests make one template', async (t) => {
  const body = { name: 'Only one', html: 'x' }
  const answers = await Promise.all(Array.from({ length: 20 }, () => create('template', body)))
  t.strictSame(new Set(answers.map(({ status }) => status)), new Set([201]))
  t.strictSame(new Set(answers.map(({ body }) => body.slug)), new Set(['only-one']))
  t.equal(new Set(answers.map(({ body }) => body.id)).size, 1)
  const repeated = await create('template', body)
  t.equal(replayed(repeated), 'true')
  t.strictSame(repeated.body, answers[0]?.body)
  t.equal((await create('template', { ...body, html: 'y' })).status, 422)
  t.equal((await create('broken', { name: 'Broken', html: '{{#if}}' })).status, 422)
  t.equal(
    (await create('broken', { name: 'Broken', html: 'fixed' })).status,
    201,
    'a refused template does not use the key up',
  )
  const { data } = (await platen.json<{ data: Template[] }>('/v1/templates?limit=100')).body
  t.equal(data.filter(({ name }) => name === 'Only one').length, 1)
})

t.test('an idempotency key applies to one path and one owner', async (t) => {
  const { body: mine } = await generate('shared', { html: '<p>Shared', async: true })
  t.equal((await create('shared', { name: 'Shared', html: 'x' })).status, 201)
  const key = newApiKey()
  await using store = await openStore()
  const ownerId = await createOwner(store.store, 'Other')
  await issueApiKey(store.store, { key, name: 'other', scopes: allScopes, ownerId })
  const headers = { authorization: `Bearer ${key}` }
  const theirs = await until(async () => {
    const answer = await generate('shared', { html: '<p>Theirs', async: true }, headers)
    return answer.status === 401 ? undefined : answer
  }, 'the gateway did not accept the new API key')
  t.equal(theirs.status, 202)
  t.not(theirs.body.id, mine.id)
})

t.test('an idempotency key is kept over a restart', async (t) => {
  const body = { html: '<p>Restart', async: true }
  const before = await generate('restart', body)
  await platen.kill()
  await platen.start()
  const after = await generate('restart', body)
  t.equal(after.body.id, before.body.id)
  t.equal(replayed(after), 'true')
})

async function openStore() {
  const store = await openEventStore(`sqlite:${join(platen.dataDir, 'events.db')}`)
  return { store, [Symbol.asyncDispose]: () => store.close() }
}
