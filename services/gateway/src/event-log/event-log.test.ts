import { apiKey, eventually, startTestGateway } from '@platen/test-support/gateway/test-gateway.ts'
import t from 'tap'

const gateway = await startTestGateway()
t.teardown(() => gateway[Symbol.asyncDispose]())
const { call } = gateway

interface Shown {
  position: string
  stream: string
  type: string
  category: string
  revision: number
  data?: { html?: string }
}
const list = async (query = ''): Promise<{ data: Shown[]; next_cursor?: string }> =>
  (await call('GET', `/v1/events${query}`)).body
const all = async (query = '') => {
  const events: Shown[] = []
  for (let cursor = ''; ; ) {
    const page = await list(`?limit=3${query}${cursor}`)
    events.push(...page.data)
    if (page.next_cursor === undefined) return events
    cursor = `&cursor=${encodeURIComponent(page.next_cursor)}`
  }
}

t.test('the log is read in pages, and by category, type, request and time', async (t) => {
  const { body: template } = await call('POST', '/v1/templates', { body: { name: 'Log', html: '<p>{{a}}' } })
  const { headers, body: generation } = await call('POST', '/v1/generate', { body: { template: template.id } })
  const events = await all()
  t.ok(events.length > 4)
  t.equal(new Set(events.map(({ position }) => position)).size, events.length)
  const ofGeneration = await all('&category=generation')
  t.strictSame(
    ofGeneration.map(({ type, revision }) => [type, revision]),
    [
      ['GenerationRequested', 0],
      ['GenerationStarted', 1],
      ['GenerationCompleted', 2],
    ],
  )
  t.strictSame(
    (await all('&type=TemplateCreated')).map(({ stream }) => stream),
    [`template-${template.id}`],
  )
  const caused = await all(`&request_id=${headers.get('x-request-id')}`)
  t.ok(caused.every(({ stream }) => stream === `generation-${generation.id}`))
  t.strictSame(await all('&created_before=2020-01-01'), [])
  t.strictSame((await all('&created_after=2020-01-01')).length, events.length)
  for (const wrong of ['category=none', 'type=TemplateMade', 'cursor=x', 'created_after=x', 'unknown=1'])
    t.match(
      await call('GET', `/v1/events?${wrong}`),
      { status: 400, body: { error: { code: 'VALIDATION_ERROR' } } },
      wrong,
    )
  const key = await gateway.issueKey('generations:read', 'templates:read')
  t.match(await call('GET', '/v1/events', { key }), { status: 403 })
})

t.test('a stream is read in pages, and an event of it with all of its data', async (t) => {
  const html = `<p>${'x'.repeat(2_000)}`
  const { body: template } = await call('POST', '/v1/templates', { body: { name: 'Stream', html } })
  for (const name of ['Two', 'Three']) await call('PATCH', `/v1/templates/${template.id}`, { body: { name } })
  const stream = `/v1/streams/template-${template.id}/events`
  const first = (await call('GET', `${stream}?limit=2`)).body
  t.strictSame(
    first.data.map(({ type }: Shown) => type),
    ['TemplateCreated', 'TemplateUpdated'],
  )
  t.match(first.data[0].data.html, /^<p>x{497}…$/, 'long texts are cut in lists')
  const second = (await call('GET', `${stream}?limit=2&cursor=${first.next_cursor}`)).body
  t.match(second, { data: [{ revision: 2, type: 'TemplateUpdated', what: String }] })
  t.equal(second.next_cursor, undefined)
  t.equal((await call('GET', `${stream}/0`)).body.data.html, html)
  for (const unknown of [`${stream}/3`, `${stream}/x`, '/v1/streams/nothing/events/0'])
    t.match(await call('GET', unknown), { status: 404, body: { error: { code: 'EVENT_NOT_FOUND' } } }, unknown)
  t.same((await call('GET', '/v1/streams/template-tpl_none/events')).body, { data: [] })
})

t.test('a page of events is bounded, and one event has all of its data', async (t) => {
  const rows = Array.from({ length: 2_000 }, (_, row) => ({ row, text: 'x'.repeat(20) }))
  const sample_data = { first: 'kept', rows, ...Object.fromEntries(rows.map(({ row }) => [`name_${row}`, row])) }
  const { body: template } = await call('POST', '/v1/templates', { body: { name: 'Much', html: 'x', sample_data } })
  const stream = `/v1/streams/template-${template.id}/events`
  const page = (await call('GET', stream)).body
  t.ok(JSON.stringify(page).length < 50_000, `${JSON.stringify(page).length} characters`)
  const { data } = page.data[0]
  t.match(data.sample_data, { first: 'kept', '…': '…' })
  t.match(data.sample_data.rows[0], rows[0])
  t.equal(data.sample_data.rows.at(-1), '…')
  t.strictSame((await call('GET', `${stream}/0`)).body.data.sample_data, sample_data)
})

t.test('long names of members are cut as texts are', async (t) => {
  const sample_data = { ['n'.repeat(100_000)]: 1, after: 2 }
  const { body: template } = await call('POST', '/v1/templates', {
    body: { name: 'Long names', html: 'x', sample_data },
  })
  const stream = `/v1/streams/template-${template.id}/events`
  const [{ data }] = (await call('GET', stream)).body.data
  t.strictSame(data.sample_data, { [`${'n'.repeat(500)}…`]: 1, after: 2 })
})

t.test('what is recorded of a webhook is shown without its tokens', async (t) => {
  const url = 'https://example.com/hook?token=secret'
  const { body } = await call('POST', '/v1/generate', { body: { html: 'x', async: true, webhook_url: url } })
  const stream = await eventually(async () => {
    const found = (await call('GET', `/v1/streams/generation-${body.id}/events`)).body
    if (found.data.length === 0) throw new Error('not begun')
    return found
  })
  t.match(stream.data[0].data.webhook_url, 'https://example.com/hook?…')
  // Its last event is not for a later test.
  await call('GET', `/v1/generations/${body.id}?wait=20`)
})

t.test('the kinds of streams are listed with their events', async (t) => {
  const { data } = (await call('GET', '/v1/events/categories')).body
  const generation = data.find(({ category }: { category: string }) => category === 'generation')
  t.match(generation, { stream: /^generation-pdf_/ })
  t.ok(generation.types.includes('GenerationCompleted'))
})

/** Reads server-sent events until `count` have come. */
async function follow(count: number, { query = '', lastId = '' } = {}) {
  const end = new AbortController()
  const response = await fetch(new URL(`/v1/events/follow${query}`, gateway.url), {
    headers: { authorization: `Bearer ${apiKey}`, ...(lastId !== '' && { 'last-event-id': lastId }) },
    signal: end.signal,
  })
  let text = ''
  const connected = Promise.withResolvers<void>()
  const read = async () => {
    const events: { id: string; data: Shown }[] = []
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk
      connected.resolve()
      for (let at = text.indexOf('\n\n'); at >= 0; at = text.indexOf('\n\n')) {
        const [, id = '', data = ''] = /^id: (.*)\nevent: event\ndata: (.*)$/.exec(text.slice(0, at)) ?? []
        text = text.slice(at + 2)
        if (id !== '') events.push({ id, data: JSON.parse(data) })
      }
      if (events.length >= count) break
    }
    end.abort()
    return events
  }
  const events = read()
  await connected.promise
  return { status: response.status, events }
}

t.test('an event with a number beyond 2^53 is followed', async (t) => {
  const { events } = await follow(1, { query: '?category=template' })
  const rawBody = '{"name": "Large", "html": "x", "sample_data": {"id": 9007199254740993}}'
  t.equal((await call('POST', '/v1/templates', { rawBody })).status, 201)
  t.match(await events, [{ data: { type: 'TemplateCreated' } }])
})

t.test('new events are followed, and after a lost connection from the last one on', async (t) => {
  const { events: following } = await follow(3, { query: '?category=generation' })
  const { body } = await call('POST', '/v1/generate', { body: { html: 'x' } })
  const events = await following
  t.strictSame(
    events.map(({ data: { type, stream } }) => [type, stream]),
    ['GenerationRequested', 'GenerationStarted', 'GenerationCompleted'].map((type) => [type, `generation-${body.id}`]),
  )
  const { events: resumed } = await follow(2, { query: '?category=generation', lastId: events[0]?.id ?? '' })
  t.strictSame(
    (await resumed).map(({ id }) => id),
    events.slice(1).map(({ id }) => id),
  )
  t.match(await call('GET', '/v1/events/follow', { headers: { 'last-event-id': 'x' } }), { status: 400 })
})
