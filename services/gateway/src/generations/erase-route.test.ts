import { apiKeyId } from '@platen/domain/api-key/api-keys.ts'
import { itemGenerationId } from '@platen/domain/batch/batch.ts'
import { newId } from '@platen/foundation/runtime/ids.ts'
import { fakePdf } from '@platen/test-support/gateway/fake-renderer.ts'
import { apiKey, startTestGateway } from '@platen/test-support/gateway/test-gateway.ts'
import t from 'tap'

const gateway = await startTestGateway()
t.teardown(() => gateway[Symbol.asyncDispose]())
const { call, renderer, services } = gateway
const { objects, store, bus } = services

const erase = (id: string, key?: string) => call('DELETE', `/v1/generations/${id}/content`, key ? { key } : {})
const erasuresOf = async (id: string) => {
  const found: unknown[] = []
  for await (const { type, data } of store.readStream(`generation-${id}`))
    if (type === 'ContentErased') found.push(data)
  return found
}

t.test('the PDF, the input and dead letters of a generation are deleted, and the event says so', async (t) => {
  const { body } = await call('POST', '/v1/generate', { body: { html: 'x'.repeat(700 * 1024) } })
  const { id, url } = body
  await objects.put(`pdfs/${id}.0123456789abcdef.pdf`, fakePdf, 'application/pdf')
  const { id: other } = (await call('POST', '/v1/generate', { body: { html: 'y' } })).body
  for (const one of [id, id, other]) await bus.js.publish(`dead-letters.commands.render.batch.own_default.${one}`, '{}')
  const { status, body: erasure } = await erase(id)
  t.equal(status, 200, JSON.stringify(erasure))
  t.match(erasure, { generation_id: id, objects: 3, dead_letters: 2, sha256: /^[0-9a-f]{64}$/ })
  t.match((await call('GET', `/v1/generations/${id}`)).body, { status: 'completed', erased_at: erasure.erased_at })
  t.match(await call('GET', url, { key: null }), { status: 410, body: { error: { code: 'GENERATION_ERASED' } } })
  const left: string[] = []
  for (const category of ['pdfs', 'inputs']) for await (const { key } of objects.list(category)) left.push(key)
  t.same(left, [`pdfs/${other}.fake.pdf`], 'that of the other')
  t.match(await erasuresOf(id), [
    { erased_by: apiKeyId(apiKey), erased_at: erasure.erased_at, objects: 3, dead_letters: 2, sha256: erasure.sha256 },
  ])

  t.match(await erase(id), {
    status: 200,
    body: { erased_at: erasure.erased_at, objects: 0, dead_letters: 0, sha256: erasure.sha256 },
  })
  t.equal((await erasuresOf(id)).length, 1, 'a repetition that finds nothing records nothing')
  t.equal((await erase(other)).body.dead_letters, 1)
})

t.test('erasures at once share what they delete', async (t) => {
  const { id } = (await call('POST', '/v1/generate', { body: { html: 'z' } })).body
  for (let n = 0; n < 20; n++) await bus.js.publish(`dead-letters.commands.render.batch.own_default.${id}`, '{}')
  const answers = await Promise.all(Array.from({ length: 6 }, () => erase(id)))
  t.same(new Set(answers.map(({ status }) => status)), new Set([200]))
  t.equal(
    answers.reduce((sum, { body }) => sum + body.dead_letters, 0),
    20,
  )
})

t.test('what has not ended is not erased', async (t) => {
  const conflict = { status: 409, body: { error: { code: 'CONFLICT' } } }
  renderer.behaviour = 'held'
  const { id } = (await call('POST', '/v1/generate', { body: { html: 'x', async: true } })).body
  while (renderer.taken.at(-1)?.request.generation_id !== id) await new Promise(setImmediate)
  t.match(await erase(id), conflict)

  const batch = newId('bat')
  const item = itemGenerationId(batch, 1)
  const event = (type: string, data: object) => ({ id: crypto.randomUUID(), type, data: { ...data } })
  const of = { owner_id: 'own_default', api_key_id: 'key_1' }
  const created = event('BatchCreated', { ...of, total: 1, input: { name: batch, parts: 1 } })
  await store.append(`batch-${batch}`, [created], 'none')
  const requested = event('GenerationRequested', { ...of, batch: { id: batch, index: 1 } })
  const failed = event('GenerationFailed', { code: 'RENDER_FAILED', message: 'x' })
  await store.append(`generation-${item}`, [requested, failed], 'none')
  t.match(await erase(item), conflict)
  const counts = { status: 'completed', completed: 0, failed: 1, cancelled: 0 }
  await store.append(`batch-${batch}`, [event('BatchEnded', counts)], 0)
  t.match(await erase(item), { status: 200, body: { objects: 0 } })

  t.match(await erase(newId('pdf')), { status: 404, body: { error: { code: 'GENERATION_NOT_FOUND' } } })
  t.equal((await erase(id, await gateway.issueKey('generations:read'))).status, 403)
  renderer.release()
})
