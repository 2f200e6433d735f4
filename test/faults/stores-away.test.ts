import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Batch } from '@platen/domain/batch/batch.ts'
import type { Generation } from '@platen/domain/generation/generation.ts'
import type { Template } from '@platen/domain/template/template.ts'
import t from 'tap'
import { root } from '../docs/code-blocks.ts'
import { startFakeEventStoreDb } from '../support/fake-eventstoredb/start-fake-eventstoredb.ts'
import { startFakeS3 } from '../support/fake-s3/start-fake-s3.ts'
import { startReceiver } from '../support/notifier/receiver.ts'
import { type PlatenRequest, startPlaten } from '../support/platen.ts'
import { until } from '../support/until.ts'

// Requests of each kind while a store is away. What they are answered with is the table of docs/operate/store-outages.md.

t.setTimeout(900_000)

/** Two attempts. An outage that counted would use up the second one. */
const schedule = '0,1'

const events = await startFakeEventStoreDb()
t.teardown(() => events[Symbol.asyncDispose]())
const s3 = await startFakeS3()
t.teardown(() => s3[Symbol.asyncDispose]())
const receiver = await startReceiver((response, nth, { path }) =>
  response.writeHead(path.startsWith('/second') && nth === 1 ? 500 : 204).end(),
)
t.teardown(() => receiver[Symbol.asyncDispose]())
const platen = await startPlaten({
  EVENT_STORE_URL: events.url,
  OBJECT_STORE_URL: s3.url('platen'),
  OBJECT_STORE_ACCESS_KEY: s3.accessKey,
  OBJECT_STORE_SECRET_KEY: s3.secretKey,
  WEBHOOK_SCHEDULE: schedule,
  RENDER_SLOTS: '2',
})
t.teardown(() => platen[Symbol.asyncDispose]())
const { json, request } = platen

/** A request, and what it was answered with: `503 STORAGE_UNAVAILABLE`. */
interface Sent {
  answer: string
  /** Of the generation or the batch, if there is one. */
  id?: string
}

async function send(path: string, init: PlatenRequest = {}): Promise<Sent> {
  const response = await request(path, { redirect: 'manual', ...init })
  const text = await response.text()
  const body = /json/.test(response.headers.get('content-type') ?? '') && text !== '' ? JSON.parse(text) : undefined
  const code = body?.error?.code
  const id = body?.id ?? body?.error?.details?.generation_id
  return { answer: `${response.status}${code ? ` ${code}` : ''}`, ...(id && { id }) }
}

const post = (path: string, body: object) => send(path, { body })
/** Its client waits for a moment. */
const postAndWait = (body: object) => send('/v1/generate', { body, headers: { prefer: 'wait=2' } })
const large = `<p>large<!--${'x'.repeat(700_000)}-->`
const unique = () => crypto.randomUUID().slice(0, 8)

/** What was made before the outage. */
async function prepare() {
  const mark = unique()
  const { body: template } = await json<Template>('/v1/templates', { body: { name: `T ${mark}`, html: '<p>{{a}}' } })
  const { body: done } = await json<Generation>('/v1/generate', { body: { html: '<p>before', async: true } })
  const completed = await ended(done.id)
  const webhook_url = receiver.url(`/known-${mark}`)
  const { body: notified } = await json<Generation>('/v1/generate', { body: { html: 'x', async: true, webhook_url } })
  await receiver.calls(`/known-${mark}`, 1)
  const items = [{ html: '<p>one' }, { html: '<p>two' }]
  const { body: batch } = await json<Batch>('/v1/batches', { body: { items } })
  await until(async () => {
    const { body } = await json<Batch>(`/v1/batches/${batch.id}`)
    return body.status === 'completed' || undefined
  }, 'the batch does not end')
  // Its item is printed when the store is away.
  const slow = { html: '<p>slow', options: { wait_for: { ms: 6_000 } } }
  const { body: running } = await json<Batch>('/v1/batches', { body: { items: [slow] } })
  return { mark, template, completed, notified, batch, running }
}
type Prepared = Awaited<ReturnType<typeof prepare>>

const fileOf = ({ completed }: Prepared) => {
  const { pathname, search } = new URL(completed.url ?? '')
  return pathname + search
}

async function uploadedPdf(): Promise<string> {
  const { body } = await json<Generation>('/v1/generate', { body: { html: '<p>uploaded', async: true } })
  await ended(body.id)
  const file = await request(`/v1/generations/${body.id}/file`)
  return Buffer.from(await file.arrayBuffer()).toString('base64')
}

const ended = async (id: string) => (await json<Generation>(`/v1/generations/${id}?wait=60`)).body

/** Each kind of request, by its name in the table. */
function kinds(given: Prepared, upload: string): Record<string, () => Promise<Sent>> {
  const { mark, template, completed, notified, batch, running } = given
  const { id } = completed
  const async = { async: true }
  return {
    'document, synchronous': () => postAndWait({ html: '<p>sync' }),
    'document, asynchronous': () => post('/v1/generate', { html: '<p>async', ...async }),
    'document of a template, synchronous': () => postAndWait({ template: template.id, data: { a: 1 } }),
    'document of a template, asynchronous': () =>
      post('/v1/generate', { template: template.id, data: { a: 1 }, ...async }),
    'document of more than 512 KiB': () => post('/v1/generate', { html: large, ...async }),
    'document whose input is kept': () => post('/v1/generate', { html: '<p>kept', retain_input: 1, ...async }),
    preview: () => post('/v1/preview', { html: '<p>preview' }),
    batch: () => post('/v1/batches', { items: [{ html: '<p>1' }] }),
    'operation on an uploaded PDF, asynchronous': () =>
      post('/v1/pdf/flatten', { source: { content_base64: upload }, ...async }),
    'operation on a stored PDF, asynchronous': () =>
      post('/v1/pdf/merge', { sources: [{ generation: id }, { generation: id }], ...async }),
    'download of a file': () => send(fileOf(given)),
    'read of a batch that has ended': () => send(`/v1/batches/${batch.id}`),
    'read of a batch that runs': () => send(`/v1/batches/${running.id}`),
    'download of a batch': () => send(`/v1/batches/${batch.id}/files.zip`),
    'read of a generation, a template or a list': () => send(`/v1/generations/${id}`),
    'change of a template': () =>
      send(`/v1/templates/${template.id}`, { method: 'PATCH', body: { html: `<p>${mark}` } }),
    'upload of an asset': () =>
      send(`/v1/assets/${mark}.css`, {
        method: 'PUT',
        body: `p { color: #${mark.slice(0, 6)} }`,
        headers: { 'content-type': 'text/css' },
      }),
    'redelivery of a webhook': () => post(`/v1/generations/${notified.id}/deliveries/redeliver`, {}),
    'API key': () => post('/v1/keys', { name: mark, scopes: ['generate'] }),
    'erasure of a document': () => send(`/v1/generations/${notified.id}/content`, { method: 'DELETE' }),
    '`/readyz`': () => send('/readyz'),
  }
}

const page = 'docs/operate/store-outages.md'

/** The answers of the table by the first cell: with the object store away, and with the event store. */
const documented = new Map(
  [...readFileSync(join(root, page), 'utf8').matchAll(/^\| (.+?) \| `(\d[^`]*)`.*? \| `(\d[^`]*)`.*? \|$/gm)].map(
    ([, row = '', objects = '', log = '']) => [row, { 'object store': objects, 'event store': log }],
  ),
)

/** A machine that stands still makes an answer late, which is a 503 or 504, too: then the request is sent again. */
const tries = 5

async function answerOf(send: () => Promise<Sent>, expected: string | undefined): Promise<Sent> {
  for (let left = tries; ; left--) {
    const sent = await send()
    if (sent.answer === expected || left === 1) return sent
  }
}

for (const [name, leave, comeBack] of [
  ['object store', () => s3.stop(), () => s3.start()],
  ['event store', () => events.link.refuse(), () => events.link.restore()],
] as const) {
  t.test(
    `while the ${name} is away, requests are answered as ${page} says, and what was accepted is done after`,
    async (t) => {
      const upload = await uploadedPdf()
      const given = await prepare()
      const webhook = `/second-${given.mark}`
      await leave()
      await until(async () => ((await request('/readyz')).status === 503 ? true : undefined), 'it is not noticed')
      const rows = kinds(given, upload)
      const sent = await Promise.all(
        Object.entries(rows).map(async ([row, send]) => {
          return { row, ...(await answerOf(send, documented.get(row)?.[name])) }
        }),
      )
      for (const { row, answer } of sent) t.equal(answer, documented.get(row)?.[name], row)
      t.strictSame([...documented.keys()].sort(), Object.keys(rows).sort(), 'the table has these rows')

      const accepted = await Promise.all(
        Array.from({ length: 40 }, (_, n) =>
          post('/v1/generate', { html: `<p>${n}`, async: true, webhook_url: receiver.url(`${webhook}-${n}`) }),
        ),
      )
      t.ok(accepted.every(({ answer }) => answer === '202'))
      await comeBack()
      const back = Date.now()
      for (const { row, answer, id } of sent) {
        if (!id?.startsWith('pdf_') || !/^(?:202|504)/.test(answer)) continue
        const { status } = await ended(id)
        t.equal(status, answer === '202' ? 'completed' : status, row)
      }
      const batchEnded = async () => (await json<Batch>(`/v1/batches/${given.running.id}`)).body.status === 'completed'
      await until(async () => (await batchEnded()) || undefined, 'the batch that ran does not end')
      for (const { id = '' } of accepted) t.equal((await ended(id)).status, 'completed')
      for (const n of accepted.keys()) await receiver.calls(`${webhook}-${n}`, 2)
      t.comment(`everything is done ${Date.now() - back} ms after the ${name} is back`)
      await until(async () => ((await request('/readyz')).ok ? true : undefined), 'it is not ready again')
    },
  )
}

t.test('no message is a dead letter, and nothing is sent twice', async (t) => {
  t.strictSame((await json<{ data: unknown[] }>('/v1/dead-letters')).body.data, [])
  for (const { path } of receiver.received.filter(({ path }) => path.startsWith('/second'))) {
    t.equal(receiver.on(path).length, 2, path)
  }
})
