import { newId } from '@platen/foundation/runtime/ids.ts'
import { eventually, startTestGateway } from '@platen/test-support/gateway/test-gateway.ts'
import t from 'tap'

const gateway = await startTestGateway()
t.teardown(() => gateway[Symbol.asyncDispose]())
const { call, renderer, services } = gateway
t.afterEach(() => {
  renderer.behaviour = 'complete'
  renderer.release()
})

const large = 'x'.repeat(700 * 1024)
const retry = (id: string, headers = {}, key?: string) =>
  call('POST', `/v1/generations/${id}/retry`, { headers, ...(key && { key }) })
const fails = async (body: object) => {
  renderer.behaviour = { code: 'RENDER_FAILED', message: 'no' }
  const { headers } = await call('POST', '/v1/generate', { body })
  renderer.behaviour = 'complete'
  return String(headers.get('x-generation-id'))
}

t.test('a generation whose input is stored is rendered again, as a new generation', async (t) => {
  const template = (await call('POST', '/v1/templates', { body: { name: 'Large', html: '{{text}}' } })).body
  const details = { metadata: { order: '7' }, file_name: 'Large.pdf' }
  const id = await fails({ template: 'large', data: { text: large }, ...details })
  const { status, headers, body } = await retry(id)
  t.equal(status, 202, JSON.stringify(body))
  t.match(body, { id: /^pdf_/, status: 'queued', retry_of: id, template: { id: template.id, version: 1 }, ...details })
  t.not(body.id, id)
  t.match(headers.get('location'), body.id)
  t.equal(headers.get('x-generation-id'), body.id)
  const ended = await call('GET', `/v1/generations/${body.id}?wait=10`)
  t.match(ended.body, { status: 'completed', retry_of: id, ...details })
  const [first, again] = renderer.taken.slice(-2)
  t.not(again?.input_key, first?.input_key, 'it has an input of its own')
  t.match((await call('GET', `/v1/generations/${id}`)).body, { status: 'failed' }, 'the first is as it was')
  t.match(await retry(body.id), { status: 202, body: { retry_of: body.id } }, 'one that has completed, too')
})

t.test('with an Idempotency-Key, a repeated retry is the same generation', async (t) => {
  const [one, two] = [await fails({ html: large }), await fails({ html: `${large}y` })]
  const key = { 'idempotency-key': 'again' }
  const first = await retry(one, key)
  const repeated = await Promise.all([retry(one, key), retry(one, key)])
  for (const answer of repeated) {
    t.match(answer, { status: 202, body: { id: first.body.id } })
    t.equal(answer.headers.get('idempotency-replayed'), 'true')
  }
  t.match(await retry(two, key), { status: 422, body: { error: { code: 'IDEMPOTENCY_KEY_REUSED' } } })
})

t.test('an item of a batch is rendered again from what the batch has stored', async (t) => {
  renderer.behaviour = { code: 'RENDER_FAILED', message: 'no' }
  const pad = 'x'.repeat(300 * 1024)
  const items = Array.from({ length: 12 }, (_, at) => ({ html: `${at + 1}${pad}`, metadata: { n: `${at + 1}` } }))
  const rawBody = items.map((item) => JSON.stringify(item)).join('\n')
  const headers = { 'content-type': 'application/x-ndjson' }
  const { body: batch } = await call('POST', '/v1/batches', { rawBody, headers })
  await eventually(async () => {
    const { body } = await call('GET', `/v1/batches/${batch.id}`)
    if (body.ended_at === undefined) throw new Error(JSON.stringify(body))
  })
  renderer.behaviour = 'complete'
  const { data } = (await call('GET', `/v1/batches/${batch.id}/items`)).body
  for (const at of [0, 6, 11]) {
    const { status, body } = await retry(data[at].generation_id)
    t.equal(status, 202, JSON.stringify(body))
    t.match(body, { retry_of: data[at].generation_id, metadata: { n: `${at + 1}` } })
    t.notOk('batch' in body, 'it is no item of the batch')
    await call('GET', `/v1/generations/${body.id}?wait=10`)
    t.match(renderer.taken.at(-1)?.input?.html?.slice(0, 4), new RegExp(`^${at + 1}x`))
  }
  t.match((await call('GET', `/v1/batches/${batch.id}`)).body.counts, { failed: 12, completed: 0 })
  const erased = [1, 2, 11].map((at) => data[at].generation_id)
  const erase = (id: string) => call('DELETE', `/v1/generations/${id}/content`)
  for (const { status, body } of await Promise.all(erased.map(erase))) t.match({ status, body }, { status: 200 })
  for (const id of erased) t.match(await retry(id), { status: 409, body: { error: { message: /was erased/ } } })
  for (const at of [0, 3, 10]) t.equal((await retry(data[at].generation_id)).status, 202, 'the others are left')
  for await (const { key } of services.objects.list('inputs', new Set([batch.id]))) await services.objects.delete(key)
  t.match(await retry(data[0].generation_id), {
    status: 409,
    body: { error: { message: 'The input of the generation is not stored any more; send the request again' } },
  })
})

t.test('409 says why a generation cannot be rendered again', async (t) => {
  const conflict = (message: RegExp) => ({ status: 409, body: { error: { code: 'CONFLICT', message } } })
  const small = await fails({ html: 'x' })
  const key = { 'idempotency-key': 'small' }
  t.match(
    await retry(small, key),
    conflict(/is not kept: only with retain_input, and those over 640 KiB and of batches, are stored; send/),
  )
  const other = await fails({ html: 'y' })
  t.match(await retry(other, key), conflict(/is not kept/), 'the key is free again')

  renderer.behaviour = 'held'
  const { id: held } = (await call('POST', '/v1/generate', { body: { html: 'x', async: true } })).body
  while (renderer.taken.at(-1)?.request.generation_id !== held) await new Promise(setImmediate)
  t.match(await retry(held), conflict(/is (queued|rendering); it is rendered without a retry/))
  renderer.behaviour = 'complete'
  renderer.release()

  const gone = await fails({ html: large })
  for await (const { key } of services.objects.list('inputs', new Set([gone]))) await services.objects.delete(key)
  t.match(await retry(gone), conflict(/is not stored any more; send the request again/))

  const dead = await fails({ html: 'x' })
  await services.bus.js.publish(`dead-letters.commands.render.batch.own_default.${dead}`, '{}')
  t.match(await retry(dead), conflict(/is a dead letter/))

  const erased = await fails({ html: large })
  t.equal((await call('DELETE', `/v1/generations/${erased}/content`)).status, 200)
  t.match(await retry(erased), conflict(/was erased/))
  t.match(await retry(newId('pdf')), { status: 404, body: { error: { code: 'GENERATION_NOT_FOUND' } } })
  const reader = await gateway.issueKey('generations:read')
  t.match(await retry(gone, {}, reader), { status: 403 })
})
