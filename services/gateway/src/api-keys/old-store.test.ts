import { allScopes } from '@platen/domain/api-key/api-key-contract.ts'
import { apiKeyId, hashApiKey, issueApiKey } from '@platen/domain/api-key/api-keys.ts'
import { createOwner } from '@platen/domain/owner/owners.ts'
import { commandSubjects } from '@platen/domain/streams/subjects.ts'
import type { Json } from '@platen/foundation/json/json.ts'
import { newId } from '@platen/foundation/runtime/ids.ts'
import { type Answer, callGateway, eventually, startTestGateway } from '@platen/test-support/gateway/test-gateway.ts'
import t from 'tap'

const gateway = await startTestGateway()
t.teardown(() => gateway[Symbol.asyncDispose]())
const { store, bus } = gateway.services

const append = (stream: string, ...events: { type: string; data: Json }[]) => {
  const [first, ...rest] = events.map((event) => ({ ...event, id: crypto.randomUUID() }))
  return first && store.append(stream, [first, ...rest], 'none')
}
const ids = ({ body }: Answer) => body.data.map(({ id }: { id: string }) => id)

t.test('what a version without owners has recorded belongs to the owner of its key', async (t) => {
  const oldKey = 'an-old-key-of-a-version-without-owners'
  const data = { name: 'old', sha256: hashApiKey(oldKey), prefix: 'an-old-', scopes: [...allScopes] }
  await append(`apikey-${apiKeyId(oldKey)}`, { type: 'ApiKeyIssued', data })
  const template = newId('tpl')
  await append('slug-old', { type: 'SlugReserved', data: { template_id: template } })
  const fields = { name: 'Old', slug: 'old', html: 'x', sample_data: {} }
  await append(`template-${template}`, { type: 'TemplateCreated', data: fields })
  const started = (api_key_id: string) =>
    [
      { type: 'GenerationRequested', data: { api_key_id } },
      { type: 'GenerationStarted', data: { renderer: 'old' } },
    ] as const
  const [old, theirs] = [newId('pdf'), newId('pdf')]
  await append(`generation-${old}`, ...started(apiKeyId(oldKey)))
  // In an upgrade, a renderer without owners may record the generation of a key with an owner.
  const newKey = 'a-new-key-of-a-version-with-owners'
  const ownerId = await createOwner(store, 'New')
  await issueApiKey(store, { key: newKey, name: 'new', scopes: allScopes, ownerId })
  await append(`generation-${theirs}`, ...started(apiKeyId(newKey)))
  const queued = newId('pdf')
  const request = { generation_id: queued, api_key_id: apiKeyId(oldKey) }
  const metadata = { id: queued, time: new Date().toISOString(), correlation_id: 'req_x' }
  await gateway.renderer[Symbol.asyncDispose]()
  await bus.js.publish(
    commandSubjects.render('batch', apiKeyId(oldKey), queued),
    JSON.stringify({ type: 'RenderPdf', data: { request, input_key: 'inputs/x.json' }, metadata }),
  )

  await using other = await gateway.startAnother()
  for (const [url, what] of [
    [other.url, 'after a rebuild'],
    [gateway.url, 'in a running gateway'],
  ] as const) {
    const get = (path: string, key: string) => callGateway(url, 'GET', path, { key })
    await eventually(async () => {
      if ((await get(`/v1/generations/${theirs}`, newKey)).status !== 200) throw new Error('the view is behind')
    })
    t.same(ids(await get('/v1/templates', oldKey)), [template], what)
    t.equal((await get('/v1/templates/old', oldKey)).body.id, template)
    t.equal((await get('/v1/templates/old', newKey)).status, 404)
    for (const id of [old, queued]) {
      t.equal((await get(`/v1/generations/${id}`, oldKey)).status, 200, `${what}: ${id}`)
      t.equal((await get(`/v1/generations/${id}`, newKey)).status, 404)
    }
    t.same(ids(await get('/v1/generations', oldKey)), [old])
    t.same(ids(await get('/v1/generations', newKey)), [theirs])
    t.equal((await get(`/v1/generations/${theirs}`, oldKey)).status, 404)
  }
  const renamed = { key: oldKey, body: { name: 'Renamed' } }
  t.match(await gateway.call('PATCH', '/v1/templates/old', renamed), { status: 200, body: { version: 2, slug: 'old' } })
  const again = { key: oldKey, body: { name: 'Old', html: 'x' } }
  t.match((await gateway.call('POST', '/v1/templates', again)).body, { slug: 'old-2' }, 'the old slug is reserved')
  t.equal((await gateway.call('DELETE', '/v1/templates/old', { key: oldKey })).status, 204)
  t.match((await gateway.call('POST', '/v1/templates', again)).body, { slug: 'old' }, 'and is free again')
})
