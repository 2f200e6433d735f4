import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { utimes } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { PDFDocument, PDFName } from '@cantoo/pdf-lib'
import { batchLimits, itemGenerationId } from '@platen/domain/batch/batch.ts'
import { batchStream } from '@platen/domain/batch/batch-events.ts'
import { createOwner } from '@platen/domain/owner/owners.ts'
import { buckets } from '@platen/domain/streams/buckets.ts'
import { batchPartOf, objectKeys } from '@platen/domain/streams/subjects.ts'
import { operatorMetadata } from '@platen/event-store/handle-command.ts'
import { newId } from '@platen/foundation/runtime/ids.ts'
import { openBucket } from '@platen/messaging/key-value/bucket.ts'
import { fakePdf } from '@platen/test-support/gateway/fake-renderer.ts'
import {
  apiKey,
  callGateway,
  eventually,
  startTestGateway,
  testConfig,
} from '@platen/test-support/gateway/test-gateway.ts'
import { startReceiver } from '@platen/test-support/notifier/receiver.ts'
import { unzipSync } from 'fflate'
import { Webhook } from 'standardwebhooks'
import t from 'tap'
import { startGateway } from '../start.ts'

const gateway = await startTestGateway({ webhookAllowPrivate: true })
t.teardown(() => gateway[Symbol.asyncDispose]())
const { call, services, renderer } = gateway

const lines = (items: readonly unknown[]) => items.map((item) => `${JSON.stringify(item)}\n`).join('')
const post = (items: readonly unknown[], { query = '', ...headers }: Record<string, string> = {}) =>
  call('POST', `/v1/batches${query}`, {
    rawBody: lines(items),
    headers: { 'content-type': 'application/x-ndjson', ...headers },
  })
const greetings = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ html: '<p>{{name}}</p>', data: { name: `n${at}` } }))
const batchOf = async (id: string) => (await call('GET', `/v1/batches/${id}`)).body
const storedInputs = async () => {
  const keys: string[] = []
  for await (const { key } of services.objects.list('inputs')) keys.push(key)
  return keys.sort()
}
const untilEnded = (id: string) =>
  eventually(async () => {
    const batch = await batchOf(id)
    if (batch.ended_at === undefined) throw new Error(JSON.stringify(batch))
    return batch
  })
const itemsOf = async (id: string, limit = 100) => {
  const all = []
  for (let cursor = ''; ; ) {
    const { body } = await call('GET', `/v1/batches/${id}/items?limit=${limit}${cursor}`)
    all.push(...body.data)
    if (body.next_cursor === undefined) return all
    cursor = `&cursor=${body.next_cursor}`
  }
}

t.test('each line of a batch becomes a generation, and the items are listed in order', async (t) => {
  const { status, headers, body } = await post(greetings(45))
  t.equal(status, 202, JSON.stringify(body))
  t.match(body, { id: /^bat_[0-9a-z]{26}$/, status: 'running', total: 45, counts: { queued: 45, completed: 0 } })
  t.equal(headers.get('location'), `${gateway.url}/v1/batches/${body.id}`)
  const ended = await untilEnded(body.id)
  const counts = { queued: 0, rendering: 0, completed: 45, failed: 0, cancelled: 0 }
  t.match(ended, { status: 'completed', total: 45, counts })
  const items = await itemsOf(body.id, 20)
  t.strictSame(
    items.map(({ index, generation_id }) => [index, generation_id]),
    Array.from({ length: 45 }, (_, at) => [at + 1, itemGenerationId(body.id, at + 1)]),
  )
  const [first] = items
  t.match(first, { status: 'completed', pages: 1, url: /^http/ })
  t.match((await call('GET', `/v1/generations/${first.generation_id}`)).body, { batch: { id: body.id, index: 1 } })
  t.match((await call('GET', '/v1/batches?limit=1')).body.data, [{ id: body.id, status: 'completed', counts }])
})

t.test('an item has from the batch what it leaves out, {{index}} and a file name from its data', async (t) => {
  await call('POST', '/v1/templates', { body: { name: 'Invoice', html: '<p>{{number}} {{index}}</p>' } })
  const before = renderer.taken.length
  const { status, body } = await call('POST', '/v1/batches', {
    body: {
      template: 'invoice',
      options: { format: 'A5', output: { metadata: { title: 'January' } } },
      file_name: 'Invoice {{number}} {{index}}',
      metadata: { run: 'january' },
      items: [
        { data: { number: '7/a' } },
        {
          data: { number: 8, index: 'own' },
          file_name: 'Other',
          options: { scale: 0.5, output: { stamps: [{ text: 'COPY' }] } },
          metadata: { order: '8' },
        },
        { html: '<b>plain</b>' },
      ],
    },
  })
  t.equal(status, 202, JSON.stringify(body))
  t.match(body, { metadata: { run: 'january' } })
  await untilEnded(body.id)
  const taken = renderer.taken
    .slice(before)
    .sort((one, other) => Number(one.request.batch?.index) - Number(other.request.batch?.index))
  t.match(taken, [
    {
      request: { file_name: 'Invoice 7-a 1', metadata: { run: 'january' }, template: { slug: 'invoice', version: 1 } },
      input: { data: { number: '7/a', index: 1 }, options: { format: 'A5' } },
    },
    {
      request: { file_name: 'Other', metadata: { run: 'january', order: '8' } },
      input: {
        data: { number: 8, index: 'own' },
        options: {
          format: 'A5',
          scale: 0.5,
          output: { metadata: { title: 'January' }, stamps: [{ text: 'COPY' }] },
        },
      },
    },
    { input: { html: '<b>plain</b>', data: undefined } },
  ])
  const query = '?template=invoice&file_name=R%20%7B%7Bnumber%7D%7D'
  const named = await post([{ data: { number: 9 } }], { query })
  await untilEnded(named.body.id)
  t.match(await itemsOf(named.body.id), [{ file_name: 'R 9' }])
})

t.test('a line over 64 KiB, which a thread reads, is an item as any other', async (t) => {
  const data_schema = {
    type: 'object',
    required: ['number'],
    additionalProperties: false,
    properties: { number: {}, rows: {} },
  }
  await call('POST', '/v1/templates', { body: { name: 'Long', html: '<p>{{number}} {{index}}</p>', data_schema } })
  const rows = Array.from({ length: 20_000 }, (_, at) => ({ n: at }))
  const before = renderer.taken.length
  const query = '?template=long&file_name=Long%20%7B%7Bnumber%7D%7D%20%7B%7Bindex%7D%7D'
  const named = await post([{ data: { number: 7, rows } }, { html: 'x'.repeat(70_000), data: {} }], { query })
  t.equal(named.status, 202, JSON.stringify(named.body))
  await untilEnded(named.body.id)
  t.match(await itemsOf(named.body.id), [{ file_name: 'Long 7 1' }, { file_name: 'Long  2' }])
  const inputs = renderer.taken.slice(before).map(({ input }) => JSON.parse(input?.data_json ?? ''))
  inputs.sort((one, other) => one.index - other.index)
  t.strictSame(inputs, [{ index: 1, number: 7, rows }, { index: 2 }])
  const refused = await post([{ html: 'x' }, { data: { rows } }, { data: { number: 1, rows }, htlm: 'x' }], { query })
  t.match(refused.body.error.details, [{ path: 'line 3: htlm' }, { path: 'line 2: data.number' }], 'problems are named')
  const repeated = `{"html":"${'x'.repeat(70_000)}","html":"x"}`
  const answer = await call('POST', '/v1/batches', {
    rawBody: repeated,
    headers: { 'content-type': 'application/x-ndjson' },
  })
  t.match(answer.body.error, { code: 'VALIDATION_ERROR', message: /html is given more than once/ })
})

t.test('a batch with an invalid line is refused as a whole, and the lines are named', async (t) => {
  const data_schema = { type: 'object', required: ['total'], properties: { total: { type: 'number' } } }
  await call('POST', '/v1/templates', { body: { name: 'Checked', html: 'x', data_schema } })
  const fine = { template: 'checked', data: { total: 1 } }
  const { status, body } = await post([fine, { template: 'checked', data: {} }, fine, { htlm: 'x' }, { async: true }])
  t.equal(status, 400)
  t.equal(body.error.code, 'VALIDATION_ERROR')
  const problems = new Map(body.error.details.map(({ path, message }: Record<string, string>) => [path, message]))
  t.match(problems.get('line 2: data.total'), 'is required')
  t.match(problems.get('line 4: htlm'), 'did you mean html?')
  t.match(problems.get('line 5: async'), 'is not a known field')
  const before = await storedInputs()
  const refused: [rawBody: string, code: string, message: RegExp][] = [
    ['{"html":"x"}\n{"html":', 'INVALID_JSON', /^Line 2: the line is not valid JSON/],
    ['{"html":"x"}\n\n{"html":"x"}', 'INVALID_JSON', /^Line 2: the line is empty/],
    ['{"html":"x"}\n{"template":"nowhere"}\n', 'TEMPLATE_NOT_FOUND', /^Line 2: /],
    ['', 'VALIDATION_ERROR', /items must not be empty/],
    ['[1]', 'VALIDATION_ERROR', /line 1 must be an object/],
    [`{"html":"${'x'.repeat(2 ** 20)}"}`, 'PAYLOAD_TOO_LARGE', /^Line 1 is larger than 1 MiB/],
    ['{"html":"x","file_name":"{{upper a}}"}', 'VALIDATION_ERROR', /line 1: file_name may have paths/],
    ['{}', 'VALIDATION_ERROR', /line 1: html is required/],
  ]
  for (const [rawBody, code, message] of refused) {
    const answer = await call('POST', '/v1/batches', { rawBody, headers: { 'content-type': 'application/x-ndjson' } })
    t.match(answer.body, { error: { code, message } }, JSON.stringify(answer.body))
  }
  const json = await call('POST', '/v1/batches', { body: { template: 'checked', items: [{ data: {} }, {}] } })
  t.match(json.body.error.details, [{ path: 'items.0.data.total' }, { path: 'items.1.data.total' }])
  t.strictSame(await storedInputs(), before, 'nothing is left')
})

t.test('requests with one Idempotency-Key make one batch', async (t) => {
  const headers = { 'idempotency-key': 'january' }
  const answers = await Promise.all(Array.from({ length: 2 }, () => post(greetings(5), headers)))
  const again = await post(greetings(5), headers)
  const [id] = new Set([...answers, again].map(({ body }) => body.id))
  for (const { status, body } of [...answers, again]) t.match({ status, id: body.id }, { status: 202, id })
  t.equal(again.headers.get('idempotency-replayed'), 'true')
  t.match(await post(greetings(6), headers), { status: 422, body: { error: { code: 'IDEMPOTENCY_KEY_REUSED' } } })
  t.match(await untilEnded(id), { total: 5, counts: { completed: 5 } })
})

t.test('a batch has the items of the repeated request if the first ended before it recorded the batch', async (t) => {
  const headers = { 'idempotency-key': 'ended between' }
  const { body: first } = await post(greetings(3), headers)
  await untilEnded(first.id)
  // As the first request leaves it: the entry names a batch that was not recorded.
  const bucket = await openBucket(services.bus, buckets.idempotency)
  const unrecorded = newId('bat')
  const keys: string[] = []
  for await (const key of await bucket.keys()) keys.push(key)
  for (const key of keys) {
    const entry = (await bucket.get(key))?.string() ?? ''
    if (entry.includes(first.id)) await bucket.put(key, entry.replace(first.id, unrecorded))
  }
  const before = await storedInputs()
  renderer.behaviour = 'held'
  const answers = await Promise.all([post(greetings(3), headers), post(greetings(3), headers)])
  for (const { status, body } of answers) t.match({ status, body }, { status: 202, body: { id: unrecorded } })
  const parts = (await storedInputs()).filter((key) => !before.includes(key))
  t.equal(parts.length, 1, `those of the other are deleted: ${parts}`)
  t.match(batchPartOf(parts[0] ?? ''), { batch: unrecorded }, 'retention and erasure find them by the batch')
  renderer.behaviour = 'complete'
  renderer.release()
  t.match(await untilEnded(unrecorded), { counts: { completed: 3 } })
})

t.test('cancelling stops what has not begun, and leaves what has ended', async (t) => {
  renderer.behaviour = 'held'
  const { body } = await post(greetings(200))
  const running = await eventually(async () => {
    const batch = await batchOf(body.id)
    if (batch.counts.rendering < 16) throw new Error(JSON.stringify(batch))
    return batch
  })
  t.ok(running.counts.queued > 100, 'most are not even in the queue')
  const cancelled = await call('POST', `/v1/batches/${body.id}/cancel`)
  t.match(cancelled, { status: 202, body: { status: 'cancelling' } })
  renderer.behaviour = 'complete'
  renderer.release()
  const ended = await untilEnded(body.id)
  t.equal(ended.status, 'cancelled')
  const { completed, failed, cancelled: stopped } = ended.counts
  t.equal(completed + failed + stopped, 200)
  t.ok(completed >= 16 && stopped > 100, JSON.stringify(ended))
  const items = await itemsOf(body.id)
  t.equal(items.filter(({ status }) => status === 'completed').length, completed)
  t.equal(items.filter(({ status }) => status === 'cancelled').length, stopped)
  t.match((await call('POST', `/v1/batches/${body.id}/cancel`)).body, { status: 'cancelled' })
  const { body: done } = await post(greetings(1))
  await untilEnded(done.id)
  t.match(await call('POST', `/v1/batches/${done.id}/cancel`), { status: 409, body: { error: { code: 'CONFLICT' } } })
})

t.test('items that fail do not stop the others', async (t) => {
  renderer.behaviour = { code: 'RENDER_FAILED', message: 'no' }
  const { body } = await post(greetings(3))
  t.match(await untilEnded(body.id), { status: 'completed', counts: { failed: 3 } })
  renderer.behaviour = 'complete'
  t.match(await itemsOf(body.id), [{ index: 1, status: 'failed', error: { code: 'RENDER_FAILED' } }, {}, {}])
})

t.test('another owner finds no batch', async (t) => {
  const ownerId = await createOwner(services.store, 'other', operatorMetadata())
  const key = await gateway.issueKeyOf(ownerId)
  const { body } = await post(greetings(1))
  for (const [method, path] of [
    ['GET', ''],
    ['GET', '/items'],
    ['POST', '/cancel'],
  ] as const) {
    const answer = await call(method, `/v1/batches/${body.id}${path}`, { key })
    t.match(answer, { status: 404, body: { error: { code: 'BATCH_NOT_FOUND' } } })
  }
  t.same((await call('GET', '/v1/batches', { key })).body.data, [])
  const reader = await gateway.issueKey('generations:read')
  t.equal((await call('POST', '/v1/batches', { key: reader, body: { items: [{ html: 'x' }] } })).status, 403)
  await untilEnded(body.id)
})

t.test('batches that are sent at once count towards the unfinished ones of their owner', async (t) => {
  const key = await gateway.issueKeyOf(await createOwner(services.store, 'many batches', operatorMetadata()))
  renderer.behaviour = 'held'
  const body = { items: [{ html: 'x' }] }
  for (let at = 1; at < batchLimits.unfinished; at++) {
    t.equal((await call('POST', '/v1/batches', { key, body })).status, 202)
  }
  const { hostname, port } = new URL(gateway.url)
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/x-ndjson' }
  const slow = request({ hostname, port, path: '/v1/batches', method: 'POST', headers })
  const answered = once(slow, 'response') as Promise<[IncomingMessage]>
  slow.on('error', () => {})
  slow.write(lines([{ html: 'x' }]))
  const second = await call('POST', '/v1/batches', { key, body })
  slow.end()
  const [response] = await answered
  t.same([response.resume().statusCode, second.status].toSorted(), [202, 503])
  renderer.behaviour = 'complete'
  renderer.release()
  await eventually(async () => {
    const { data } = (await call('GET', '/v1/batches?limit=100', { key })).body
    if (data.some(({ ended_at }: { ended_at?: string }) => ended_at === undefined)) throw new Error('not ended')
  })
})

t.test('a batch goes on in another gateway, and each item has one generation', async (t) => {
  const first = await gateway.startAnother()
  renderer.behaviour = 'held'
  const { body } = await post(greetings(100))
  await eventually(async () => {
    if ((await batchOf(body.id)).counts.rendering < 16) throw new Error('not begun')
  })
  // The lease is given up by whoever has it, as both stop in turn.
  await first[Symbol.asyncDispose]()
  const second = await gateway.startAnother()
  t.teardown(() => second[Symbol.asyncDispose]())
  renderer.behaviour = 'complete'
  renderer.release()
  t.match(await untilEnded(body.id), { status: 'completed', counts: { completed: 100 } })
  t.match((await callGateway(second.url, 'GET', `/v1/batches/${body.id}`)).body, { counts: { completed: 100 } })
  const events = []
  for await (const { type } of services.store.readStream(batchStream(body.id))) events.push(type)
  t.same(events, ['BatchCreated', 'BatchEnded'])
})

t.test('one webhook tells that a batch has ended', async (t) => {
  await using receiver = await startReceiver()
  await using _notifier = await gateway.startNotifier({ signingSecret: testConfig.signingSecret })
  const body = {
    webhook_url: receiver.url('/batch'),
    metadata: { run: 'webhook' },
    items: [{ html: 'x' }, { html: 'y' }],
  }
  const { status, body: batch } = await call('POST', '/v1/batches', { body })
  t.equal(status, 202, JSON.stringify(batch))
  const [sent] = await receiver.calls('/batch', 1)
  const { body: secret } = await call('GET', '/v1/webhook-secret')
  const webhook = new Webhook(secret.secret).verify(String(sent?.body), sent?.headers as Record<string, string>)
  t.match(webhook, {
    type: 'batch.completed',
    data: { id: batch.id, status: 'completed', total: 2, completed: 2, metadata: { run: 'webhook' } },
  })
  const id = sent?.headers['webhook-id']
  const delivery = await eventually(async () => {
    const answer = await call('GET', `/v1/deliveries/${id}`)
    if (answer.body.status !== 'succeeded') throw new Error(JSON.stringify(answer.body))
    return answer.body
  })
  t.match(delivery, { batch_id: batch.id, type: 'batch.completed' })
  t.notOk('generation_id' in delivery)
  const ofBatch = await call('GET', `/v1/batches/${batch.id}/deliveries`)
  const { body: _, ...listed } = delivery
  t.match(ofBatch.body, { data: [listed] }, 'found by the batch')
  const ownerId = await createOwner(services.store, 'nobody', operatorMetadata())
  const key = await gateway.issueKeyOf(ownerId)
  t.equal((await call('GET', `/v1/deliveries/${id}`, { key })).status, 404)
  t.equal((await call('GET', `/v1/batches/${batch.id}/deliveries`, { key })).status, 404)
  const { body: silent } = await post(greetings(1))
  t.match(await call('GET', `/v1/batches/${silent.id}/deliveries`), { status: 200, body: { data: [] } })
  await untilEnded(silent.id)
})

t.test('the PDFs of an ended batch are a ZIP, in order and under unique names', async (t) => {
  const items = ['a', 'b', 'A', 'a'].map((name) => ({ html: 'x', file_name: name }))
  renderer.behaviour = 'held'
  const { body } = await call('POST', '/v1/batches', { body: { items: [...items, { html: 'y' }] } })
  t.match(await call('GET', `/v1/batches/${body.id}/files.zip`), { status: 409, body: { error: { code: 'CONFLICT' } } })
  renderer.behaviour = 'complete'
  renderer.release()
  await untilEnded(body.id)
  const [, second, , , last] = await itemsOf(body.id)
  await services.objects.delete(objectKeys.pdf(second.generation_id, 'fake'))
  const { status, headers, bytes } = await call('GET', `/v1/batches/${body.id}/files.zip`)
  t.equal(status, 200)
  t.equal(headers.get('content-type'), 'application/zip')
  t.equal(headers.get('content-disposition'), `attachment; filename="${body.id}.zip"`)
  const files = Object.entries(unzipSync(bytes))
  t.strictSame(
    files.map(([name]) => name),
    ['a.pdf', 'A (3).pdf', 'a (4).pdf', `${last.generation_id}.pdf`],
  )
  for (const [, content] of files) t.same(Buffer.from(content), fakePdf)

  const folder = join(gateway.dataDir, randomUUID())
  const keeping = { ...services, retention: { inputDays: 7, pdfDays: 1 }, instance: randomUUID() }
  await using other = await startGateway({ ...testConfig, dataDir: folder }, keeping)
  const expired = join(gateway.dataDir, 'objects', objectKeys.pdf(last.generation_id, 'fake'))
  const dayAgo = Date.now() / 1_000 - 25 * 3_600
  await utimes(expired, dayAgo, dayAgo)
  const kept = await callGateway(other.url, 'GET', `/v1/batches/${body.id}/files.zip`)
  t.equal(Object.keys(unzipSync(kept.bytes)).length, 3, 'without the one whose retention is over')
})

t.test('the progress of a batch is sent as events until it has ended', async (t) => {
  renderer.behaviour = 'held'
  const { body } = await post(greetings(30))
  const headers = { authorization: `Bearer ${apiKey}` }
  const response = await fetch(`${gateway.url}/v1/batches/${body.id}/events`, { headers })
  t.equal(response.headers.get('content-type'), 'text/event-stream')
  const events: { event: string; data: { counts: Record<string, number>; status: string } }[] = []
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    for (const [, event = '', data = '{}'] of chunk.matchAll(/^event: (\w+)\ndata: (.*)$/gm)) {
      events.push({ event, data: JSON.parse(data) })
    }
    if (events.at(-1)?.data.counts.rendering === 0) continue
    renderer.behaviour = 'complete'
    renderer.release()
  }
  t.match(events[0], { event: 'progress', data: { id: body.id, status: 'running' } })
  t.match(events.at(-1), { event: 'end', data: { status: 'completed', counts: { completed: 30 } } })
  t.equal(events.filter(({ event }) => event === 'end').length, 1)
})

t.test('the PDFs of an ended batch are one PDF, in order', async (t) => {
  const { body } = await post(greetings(3))
  await untilEnded(body.id)
  const items = await itemsOf(body.id)
  const replace = async (index: number, widths: readonly number[]) => {
    const document = await PDFDocument.create()
    for (const width of widths) document.addPage([width, 100])
    const key = objectKeys.pdf(items[index - 1].generation_id, 'fake')
    await services.objects.put(key, await document.save(), 'application/pdf')
  }
  const merged = () => call('GET', `/v1/batches/${body.id}/merged.pdf`)
  t.match((await merged()).body, { error: { code: 'RENDER_FAILED', message: /cannot be merged/ } })
  await replace(1, [10])
  await replace(2, [20, 21])
  await replace(3, [30])
  const { status, headers, bytes } = await merged()
  t.equal(status, 200)
  t.equal(headers.get('content-type'), 'application/pdf')
  const document = await PDFDocument.load(bytes)
  t.equal(document.getTitle(), body.id)
  t.ok(document.catalog.has(PDFName.of('Outlines')), 'an entry for each document')
  const pages = document.getPages()
  t.strictSame(
    pages.map((page) => page.getWidth()),
    [10, 20, 21, 30],
  )

  // More than the buffers between the gateway and a client that reads nothing hold.
  const large = await PDFDocument.create()
  const content = large.context.register(large.context.stream(randomBytes(20_000_000)))
  large.addPage([10, 10]).node.set(PDFName.of('Contents'), content)
  const key = objectKeys.pdf(items[0].generation_id, 'fake')
  await services.objects.put(key, await large.save(), 'application/pdf')
  const slow = request(new URL(`/v1/batches/${body.id}/merged.pdf`, gateway.url), {
    headers: { authorization: `Bearer ${apiKey}` },
  }).on('error', () => {})
  slow.end()
  await once(slow, 'response')
  t.match(await merged(), { status: 429, body: { error: { message: /batches are being merged and downloaded/ } } })
  slow.destroy()
  await eventually(async () => {
    const { status } = await merged()
    if (status !== 200) throw new Error(`${status}`)
  })

  const many = await post(greetings(1_001))
  await untilEnded(many.body.id)
  t.match(await call('GET', `/v1/batches/${many.body.id}/merged.pdf`), {
    status: 422,
    body: { error: { code: 'RENDER_LIMIT_EXCEEDED', message: /1000 pages and 50 MiB.*Download the ZIP/ } },
  })
})
