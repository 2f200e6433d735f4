import { defaultOwnerId } from '@platen/domain/ids/owner-id.ts'
import { commandSubjects } from '@platen/domain/streams/subjects.ts'
import { newId } from '@platen/foundation/runtime/ids.ts'
import { startTestGateway } from '@platen/test-support/gateway/test-gateway.ts'
import t from 'tap'

const gateway = await startTestGateway()
t.teardown(() => gateway[Symbol.asyncDispose]())
const { call, services } = gateway

async function enqueue(id: string, order: string) {
  const request = { generation_id: id, owner_id: defaultOwnerId, api_key_id: 'key_one', metadata: { order } }
  const command = {
    type: 'RenderPdf',
    data: { request, input_key: 'inputs/x' },
    metadata: { id, time: new Date().toISOString(), correlation_id: 'req_x' },
  }
  await services.bus.js.publish(commandSubjects.render('batch', defaultOwnerId, id), JSON.stringify(command))
}

async function pagesOf(query: string) {
  const pages: { data: { id: string }[]; next_cursor?: string }[] = []
  for (let cursor: string | undefined = ''; cursor !== undefined; cursor = pages.at(-1)?.next_cursor) {
    const { status, body } = await call('GET', `/v1/generations?${query}${cursor && `&cursor=${cursor}`}`)
    if (status !== 200) throw new Error(`${status}`)
    pages.push(body)
  }
  return pages
}

t.test('a filter finds every queued generation, however many newer ones there are', async (t) => {
  const old = (await call('POST', '/v1/generate', { body: { html: 'x', metadata: { order: '7' } } })).body.id
  await gateway.renderer[Symbol.asyncDispose]()
  const wanted = [newId('pdf'), newId('pdf')]
  const newer = Array.from({ length: 2_200 }, () => newId('pdf'))
  for (const id of wanted) await enqueue(id, '7')
  for (let at = 0; at < newer.length; at += 550)
    await Promise.all(newer.slice(at, at + 550).map((id) => enqueue(id, '8')))
  const newest = newId('pdf')
  await enqueue(newest, '7')
  for (const query of ['metadata.order=7', 'metadata.order=7&limit=1', 'metadata.order=7&status=queued']) {
    const pages = await pagesOf(query)
    const ids = pages.flatMap(({ data }) => data.map(({ id }) => id))
    const ended = query.includes('status') ? [] : [old]
    t.same(ids, [newest, ...wanted.toReversed(), ...ended], query)
  }
  const all = await pagesOf('limit=100')
  t.equal(new Set(all.flatMap(({ data }) => data.map(({ id }) => id))).size, newer.length + 4)
  t.ok(all.slice(0, -1).every(({ data }) => data.length === 100))
})
