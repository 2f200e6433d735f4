import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { apiKeyId, revokeApiKey } from '@platen/domain/api-key/api-keys.ts'
import { eventCatalogue } from '@platen/domain/catalogue/event-catalogue.ts'
import { openEventStore } from '@platen/event-store/adapters/open-event-store.ts'
import type { EventStore } from '@platen/event-store/event-store.ts'
import { withCatalogue } from '@platen/event-store/with-catalogue.ts'
import type { Json } from '@platen/foundation/json/json.ts'
import { newId } from '@platen/foundation/runtime/ids.ts'
import { startFakeEventStoreDb } from '@platen/test-support/fake-eventstoredb/start-fake-eventstoredb.ts'
import { callGateway, eventually, startTestGateway, testConfig } from '@platen/test-support/gateway/test-gateway.ts'
import { Registry } from 'prom-client'
import t from 'tap'
import { startGateway } from './start.ts'

const gateway = await startTestGateway()
t.teardown(() => gateway[Symbol.asyncDispose]())
const { call, services } = gateway
/** The log as operators' tools and other versions write to it: each event is appended. */
const log = await openEventStore(`sqlite:${join(gateway.dataDir, 'events.db')}`)
t.teardown(() => log.close())

const append = (store: EventStore, stream: string, type: string, data: Json) =>
  store.append(stream, [{ id: randomUUID(), type, data }], 'any')

t.test('events that cannot be read stop no view, no command and no revocation', async (t) => {
  const { store } = services
  const { body: template } = await call('POST', '/v1/templates', { body: { name: 'Disturbed', html: 'v1' } })
  const key = await gateway.issueKey()
  const stream = `apikey-${apiKeyId(key)}`
  const wrong: [stream: string, type: string, data: Json][] = [
    [`template-${template.id}`, 'TemplateArchived', { at: 'now' }],
    [`template-${newId('tpl')}`, 'TemplateCreated', {}],
    [`template-${newId('tpl')}`, 'TemplateCreated', null],
    [`generation-${newId('pdf')}`, 'GenerationRequested', { owner_id: 'own_default', api_key_id: 7 }],
    [`generation-${newId('pdf')}`, 'TemplateCreated', { name: 'x', slug: 'x', html: 'x', sample_data: {} }],
    ['generation-a.b.c', 'GenerationRequested', { owner_id: 'own_default', api_key_id: 'key_1' }],
    [stream, 'ApiKeyIssued', { name: 'other', sha256: 5 }],
    [stream, 'ApiKeyRenamed', 'x'],
  ]
  for (const [name, type, data] of wrong) {
    await t.rejects(append(store, name, type, data), { name: 'UnreadableEvent' })
    await append(log, name, type, data)
  }

  t.match(await call('GET', '/v1/templates/disturbed'), { status: 200, body: { html: 'v1', version: 2 } })
  const patched = await call('PATCH', '/v1/templates/disturbed', {
    body: { html: 'v3' },
    headers: { 'if-match': '"2"' },
  })
  t.match(patched, { status: 200, body: { html: 'v3', version: 3 } })
  t.match(await call('POST', '/v1/generate', { body: { template: 'disturbed' } }), {
    body: { template: { version: 3 } },
  })
  t.match((await call('GET', '/v1/templates')).body.data, [{ id: template.id, html: 'v3' }])
  t.equal((await call('GET', '/v1/templates', { key })).status, 200)
  const issuedAfterwards = await gateway.issueKey()
  t.equal((await call('GET', '/v1/templates', { key: issuedAfterwards })).status, 200)
  await append(log, stream, 'ApiKeyRevoked', { reason: 'of a later version' })
  await revokeApiKey(store, apiKeyId(issuedAfterwards))
  for (const revoked of [key, issuedAfterwards]) {
    await eventually(async () => {
      const { status } = await call('GET', '/v1/templates', { key: revoked })
      if (status !== 401) throw new Error(`still ${status}`)
    })
  }
  await using again = await gateway.startAnother()
  t.match(await callGateway(again.url, 'GET', '/readyz'), { body: { checks: { views: 'ok' } } })
  t.equal((await callGateway(again.url, 'GET', '/v1/templates', { key })).status, 401)
  const counted = /^platen_unreadable_events_total\{category="(\w+)"\} (\d+)$/gm
  const metrics = [...(await call('GET', '/metrics')).bytes.toString().matchAll(counted)]
  t.strictSame(Object.fromEntries(metrics.map(([, category, count]) => [category, Number(count)])), {
    template: 3,
    generation: 3,
    apikey: 2,
  })
})

t.test('an event of a later version is read without what it adds', async (t) => {
  const { body: template } = await call('POST', '/v1/templates', { body: { name: 'Coloured', html: 'v1' } })
  const { name, slug, sample_data, created_at } = template
  const content = { owner_id: 'own_default', name, slug, sample_data, created_at, html: 'v2' }
  const data = { ...content, changed: ['html'], colour: 'red' }
  const later = { id: randomUUID(), type: 'TemplateUpdated', data }
  await services.store.append(`template-${template.id}`, [{ ...later, metadata: { version: 2 } }], 0)
  const read = { status: 200, body: { html: 'v2', version: 2, colour: undefined } }
  t.match(await call('GET', '/v1/templates/coloured'), read)
  await using again = await gateway.startAnother()
  t.match(await callGateway(again.url, 'GET', '/v1/templates/coloured'), read)
  const changed = await call('PATCH', '/v1/templates/coloured', { body: { name: 'Black' } })
  t.match(changed, { status: 200, body: { html: 'v2', version: 3 } })
})

t.test('foreign streams and deleted streams of EventStoreDB stop no view', async (t) => {
  await using fake = await startFakeEventStoreDb()
  const opened = await openEventStore(fake.url)
  t.teardown(() => opened.close())
  const lines: unknown[] = []
  const log = { warn: (context: object) => lines.push(context) }
  const store = withCatalogue(opened, { catalogue: eventCatalogue, log, metrics: new Registry() })
  const config = { ...testConfig, dataDir: join(gateway.dataDir, 'eventstoredb') }
  await using other = await startGateway(config, { ...services, store })
  const at = (path: string) => callGateway(other.url, 'GET', path)

  const [kept, deleted] = [newId('pdf'), newId('pdf')]
  for (const id of [kept, deleted]) {
    const request = { owner_id: 'own_default', api_key_id: apiKeyId(testConfig.apiKey ?? '') }
    await append(store, `generation-${id}`, 'GenerationRequested', request)
    await append(store, `generation-${id}`, 'GenerationCancelled', {})
  }
  t.match(await at(`/v1/generations/${deleted}`), { status: 200 })
  for (const stream of ['generation-a b/c*>.d', 'generation-a b/c*>.d', 'template-ü']) {
    await fake.write(stream, 'GenerationRequested', { api_key_id: 'key_1' })
  }
  await fake.tombstone(`generation-${deleted}`)
  t.match(await at('/v1/generations'), { status: 200, body: { data: [{ id: kept }] } })
  t.equal((await at('/v1/generations')).body.data.length, 1)
  t.equal((await at(`/v1/generations/${deleted}`)).status, 404)
  t.match(await at('/readyz'), { body: { checks: { views: 'ok' } } })
  const unreadable = { type: 'GenerationRequested', reason: 'the name of the stream has no valid id' }
  t.strictSame(
    lines.map((line) => ({ ...(line as object), revision: 0 })),
    [
      { ...unreadable, stream: 'generation-a b/c*>.d', revision: 0 },
      { ...unreadable, stream: 'template-ü', revision: 0 },
    ],
    'each problem is logged once',
  )
})
