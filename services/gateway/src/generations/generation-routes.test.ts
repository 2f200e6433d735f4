import { createOwner } from '@platen/domain/owner/owners.ts'
import { firstIdAt } from '@platen/foundation/runtime/ids.ts'
import { FakeRenderer } from '@platen/test-support/gateway/fake-renderer.ts'
import { callGateway, eventually, startTestGateway } from '@platen/test-support/gateway/test-gateway.ts'
import t from 'tap'

const gateway = await startTestGateway({ maxQueued: 500, viewRetentionDays: 3_650 })
t.teardown(() => gateway[Symbol.asyncDispose]())
const { call, renderer } = gateway
t.afterEach(() => {
  renderer.behaviour = 'complete'
  renderer.release()
})

const enqueue = async (body: object = {}, key?: string) => {
  const answer = await call('POST', '/v1/generate', { body: { html: 'x', async: true, ...body }, ...(key && { key }) })
  if (answer.status !== 202) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body
}
const pause = () => new Promise((resolve) => setTimeout(resolve, 2))
const idsOf = (body: { data: { id: string }[] }) => body.data.map(({ id }) => id)

t.test('unknown and invalid ids answer 404', async (t) => {
  for (const id of [
    'pdf_00000000000000000000000000',
    'nonsense',
    'pdf_*',
    '%3E',
    '..',
    'tpl_00000000000000000000000000',
  ]) {
    for (const method of ['GET', 'DELETE']) {
      const answer = await call(method, `/v1/generations/${encodeURIComponent(id)}`)
      if (id === '..') continue
      t.match(answer, { status: 404, body: { error: { code: 'GENERATION_NOT_FOUND' } } }, `${method} ${id}`)
    }
  }
})

t.test('responses with signed URLs are not stored by caches', async (t) => {
  const { id } = await enqueue()
  const answers = [
    await call('GET', `/v1/generations/${id}?wait=10`),
    await call('GET', '/v1/generations'),
    await call('POST', '/v1/generate', { body: { html: 'x' } }),
    await call('POST', '/v1/generate', { body: { html: 'x', async: true } }),
  ]
  for (const { headers } of answers) t.equal(headers.get('cache-control'), 'no-store')
})

t.test('queued generations are read, listed and cancelled', async (t) => {
  await renderer[Symbol.asyncDispose]()
  const key = await gateway.issueKeyOf(await createOwner(gateway.services.store, 'Queueing'))
  const template = (await call('POST', '/v1/templates', { key, body: { name: 'Queued', html: 'x' } })).body
  const ids: string[] = []
  for (let number = 0; number < 4; number++) {
    ids.unshift((await enqueue({}, key)).id)
    await pause()
  }
  const metadata = { order: '42', 'a key': 'a=b&c' }
  const ofTemplate = await enqueue({ html: undefined, template: 'queued', metadata }, key)
  ids.unshift(ofTemplate.id)

  const polled = await call('GET', `/v1/generations/${ofTemplate.id}`, { key })
  t.match(polled, { status: 200, body: { id: ofTemplate.id, status: 'queued', poll_url: ofTemplate.poll_url } })
  t.same(polled.body.template, { id: template.id, version: 1 })
  t.match(await call('GET', `/v1/generations/${ofTemplate.id}`), { status: 404 })

  const list = (query: string) => call('GET', `/v1/generations?${query}`, { key })
  t.same(idsOf((await list('')).body), ids)
  t.match((await list('')).body.data[0], { status: 'queued', template: { id: template.id }, created_at: /Z$/ })
  const first = (await list('limit=2')).body
  t.same(idsOf(first), ids.slice(0, 2))
  const second = (await list(`limit=3&cursor=${first.next_cursor}`)).body
  t.same(idsOf(second), ids.slice(2))
  t.equal(second.next_cursor, undefined)
  t.same(idsOf((await list('status=queued')).body), ids)
  t.same(idsOf((await list('status=completed')).body), [])
  for (const idOrSlug of ['queued', template.id])
    t.same(idsOf((await list(`template=${idOrSlug}`)).body), [ofTemplate.id])
  t.same(idsOf((await list('template=nowhere')).body), [])
  const listByMetadata = async () => {
    const filters = [
      'metadata.order=42',
      'metadata[order]=42',
      'metadata%5Border%5D=42',
      'metadata.a%20key=a%3Db%26c&metadata[order]=42&template=queued',
    ]
    for (const filter of filters) t.same(idsOf((await list(filter)).body), [ofTemplate.id], filter)
    for (const filter of [
      'metadata.order=4',
      'metadata[order]=4',
      'metadata.none=42',
      'metadata.order=42&metadata.none=',
      'metadata.order=42&status=failed',
    ])
      t.same(idsOf((await list(filter)).body), [], filter)
    t.same(idsOf((await call('GET', '/v1/generations?metadata.order=42')).body), [], 'of another owner')
  }
  await listByMetadata()
  const listByTime = async () => {
    const [, , newer, older] = (await list('')).body.data
    const range = `created_after=${older.created_at}&created_before=${newer.created_at}`
    t.same(idsOf((await list(range)).body), [older.id], 'from the first time up to but not including the second')
    t.same(idsOf((await list(`created_after=${newer.created_at}`)).body), ids.slice(0, 3))
    const page = (await list(`created_before=${newer.created_at}&limit=1`)).body
    t.same(idsOf(page), [older.id])
    t.same(idsOf((await list(`created_before=${newer.created_at}&cursor=${page.next_cursor}`)).body), ids.slice(4))
    t.same(idsOf((await list('created_before=2020-01-31')).body), [])
    t.same(idsOf((await list('created_after=2020-01-31T08:00:00%2B01:00')).body), ids)
  }
  await listByTime()

  const waited = await call('GET', `/v1/generations/${ofTemplate.id}?wait=1`, { key })
  t.match(waited, { status: 200, body: { status: 'queued' } })

  await using again = new FakeRenderer(gateway.services)
  for (const id of ids)
    t.match((await call('GET', `/v1/generations/${id}?wait=10`, { key })).body, { status: 'completed' })
  t.same(idsOf((await list('')).body), ids, 'the list is the same after they are completed')
  t.same(idsOf((await list('status=completed&limit=100')).body), ids)
  await listByTime()
  t.same(idsOf((await list('status=completed&template=queued')).body), [ofTemplate.id])
  await listByMetadata()
  t.same(idsOf((await list('status=queued')).body), [])

  again.behaviour = 'held'
  const held = await enqueue({}, key)
  await eventually(async () => {
    const { body } = await call('GET', `/v1/generations/${held.id}`, { key })
    if (body.status !== 'rendering') throw new Error(`it is ${body.status}`)
  })
  t.match((await list('status=rendering')).body.data, [{ id: held.id, status: 'rendering', poll_url: held.poll_url }])
  t.same(idsOf((await list('limit=1')).body), [held.id])

  const cancelled = await call('DELETE', `/v1/generations/${held.id}`, { key })
  t.match(cancelled, { status: 200, body: { id: held.id, status: 'cancelled' } })
  t.match((await call('GET', `/v1/generations/${held.id}`, { key })).body, { status: 'cancelled' })
  t.match(await call('DELETE', `/v1/generations/${held.id}`, { key }), { status: 200, body: { status: 'cancelled' } })
  t.match(await call('DELETE', `/v1/generations/${ofTemplate.id}`, { key }), {
    status: 409,
    body: { error: { code: 'CONFLICT', message: /completed/ } },
  })
  again.release()
})

t.test('a synchronous request answers 409 when its generation is cancelled', async (t) => {
  await using again = new FakeRenderer(gateway.services)
  again.behaviour = 'held'
  const answer = call('POST', '/v1/generate', { body: { html: 'x' } })
  while (again.taken.length === 0) await new Promise((resolve) => setTimeout(resolve, 10))
  const id = again.taken[0]?.request.generation_id
  t.match(await call('DELETE', `/v1/generations/${id}`), { status: 200 })
  t.match(await answer, { status: 409, body: { error: { code: 'CONFLICT' } } })
  again.release()
})

t.test('invalid query parameters answer 400', async (t) => {
  for (const query of [
    'status=done',
    'limit=0',
    'cursor=x',
    'metadata=x',
    'metadata.=x',
    'metadata[]=x',
    'metadata[a=x',
    'metadata.a=1&metadata.a=2',
    'metadata.a=1&metadata[a]=2',
    'template=',
    'state=queued',
    'created_after=1',
    'created_after=2026-02-30',
    'created_before=2026-13-01',
  ]) {
    t.match(
      await call('GET', `/v1/generations?${query}`),
      { status: 400, body: { error: { code: 'VALIDATION_ERROR' } } },
      query,
    )
  }
  t.match((await call('GET', '/v1/generations?metadata=x')).body.error.details, [
    { path: 'metadata', message: 'must be given with a key: metadata[<key>]=…' },
  ])
  for (const wait of ['-1', '61', 'x', '1.5']) {
    const answer = await call('GET', `/v1/generations/pdf_00000000000000000000000000?wait=${wait}`)
    t.match(answer, { status: 400, body: { error: { code: 'VALIDATION_ERROR' } } }, wait)
  }
})

t.test('a full queue answers 503 with Retry-After', async (t) => {
  await using small = await gateway.startAnother({ maxQueued: 3 })
  const body = { html: 'x', async: true }
  const answers = []
  for (let number = 0; number < 5; number++)
    answers.push(await callGateway(small.url, 'POST', '/v1/generate', { body }))
  t.same(
    answers.map(({ status }) => status),
    [202, 202, 202, 503, 503],
  )
  const full = answers.at(-1)
  t.match(full?.body, { error: { code: 'QUEUE_FULL' } })
  t.ok(Number(full?.headers.get('retry-after')) > 0)
})

t.test('an old generation ages out of the list, and is still found by its id', async (t) => {
  const { store } = gateway.services
  const startedAt = new Date('2001-01-31').getTime()
  const owner_id = await createOwner(store, 'Archive')
  const key = await gateway.issueKeyOf(owner_id)
  const record = async (id: string, ...types: string[]) => {
    const data = { api_key_id: 'key_1', owner_id, metadata: { order: '42' } }
    const event = (type: string) => ({ id: crypto.randomUUID(), type, data })
    for (const [index, type] of types.entries()) {
      await store.append(`generation-${id}`, [event(type)], index === 0 ? 'none' : index - 1)
    }
  }
  const [rendering, first, second] = [0, 1, 2].map((ms) => firstIdAt('pdf', startedAt + ms))
  if (!rendering || !first || !second) throw new Error('there must be three ids')
  await record(rendering, 'GenerationRequested', 'GenerationStarted')
  for (const id of [first, second]) await record(id, 'GenerationRequested', 'GenerationCancelled')
  const recent = (await enqueue({}, key)).id
  const listed = async (query = '') => idsOf((await call('GET', `/v1/generations${query}`, { key })).body)
  await eventually(async () => {
    const ids = await listed()
    if (ids.includes(first) || ids.includes(second) || !ids.includes(recent)) throw new Error(`listed: ${ids}`)
  })
  t.same(await listed(), [recent, rendering], 'one that has not ended is kept')
  t.same(await listed('?metadata.order=42'), [rendering])
  t.match(await call('GET', `/v1/generations/${first}`, { key }), {
    status: 200,
    body: { id: first, status: 'cancelled' },
  })
  t.equal((await call('GET', `/v1/generations/${first}`)).status, 404, 'for another owner')
})
