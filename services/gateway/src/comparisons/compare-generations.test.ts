import { newId } from '@platen/foundation/runtime/ids.ts'
import { startTestGateway } from '@platen/test-support/gateway/test-gateway.ts'
import t from 'tap'

const gateway = await startTestGateway()
t.teardown(() => gateway[Symbol.asyncDispose]())
const { call, renderer, services } = gateway

const generate = async () =>
  String((await call('POST', '/v1/generate', { body: { html: 'x' } })).headers.get('x-generation-id'))
const compare = (from: string, to: string, more = '', key?: string) =>
  call('GET', `/v1/generations/${from}/compare?to=${to}${more}`, key ? { key } : {})
const error = (status: number, code: string) => ({ status, body: { error: { code } } })

t.test('the PDFs of two generations are compared by a renderer', async (t) => {
  const [from, to] = [await generate(), await generate()]
  t.match(await compare(from, to), { status: 200, body: { from, to, pages: [] } })
  t.match(await compare(from, from, '&images=true'), { status: 200 })
  const reader = await gateway.issueKey('generations:read')
  t.equal((await compare(from, to, '', reader)).status, 200)
  t.match(await compare(from, to, '', await gateway.issueKey('generate')), error(403, 'FORBIDDEN'))
})

t.test('what has no PDF is not compared, and the reason is said', async (t) => {
  const [from, erased, gone] = [await generate(), await generate(), await generate()]
  t.match(await compare(from, newId('pdf')), error(404, 'GENERATION_NOT_FOUND'))
  t.match(await compare(newId('pdf'), from), error(404, 'GENERATION_NOT_FOUND'))
  t.match(await compare(from, 'x'), error(404, 'GENERATION_NOT_FOUND'))
  t.match(await call('GET', `/v1/generations/${from}/compare`), error(400, 'VALIDATION_ERROR'))
  t.equal((await call('DELETE', `/v1/generations/${erased}/content`)).status, 200)
  t.match(await compare(from, erased), error(410, 'GENERATION_ERASED'))
  await services.objects.delete(`pdfs/${gone}.fake.pdf`)
  t.match(await compare(gone, from), error(410, 'FILE_DELETED'))
  renderer.behaviour = { code: 'RENDER_FAILED', message: 'no' }
  const failed = await generate()
  renderer.behaviour = 'complete'
  t.match(await compare(from, failed), error(409, 'CONFLICT'))

  const of = { owner_id: 'own_default', api_key_id: 'key_1' }
  const id = newId('pdf')
  const event = (type: string, data: object) => ({ id: crypto.randomUUID(), type, data: { ...data } })
  const file = { object_key: `pdfs/${id}.fake.pdf`, pages: 201, size: 1, sha256: 'a', duration_ms: 1, warnings: [] }
  const completed = event('GenerationCompleted', { ...file, engine: { name: 'e', version: '1', mode: 'static' } })
  await services.store.append(`generation-${id}`, [event('GenerationRequested', of), completed], 'none')
  t.match(await compare(from, id), error(422, 'RENDER_LIMIT_EXCEEDED'))
})
