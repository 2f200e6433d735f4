import { startTestGateway } from '@platen/test-support/gateway/test-gateway.ts'
import t from 'tap'

const gateway = await startTestGateway()
t.teardown(() => gateway[Symbol.asyncDispose]())
const { call, services } = gateway

let read = 0
let readWithData = 0
const { readStream } = services.store
const store = Object.assign(Object.create(services.store), {
  async *readStream(...args: Parameters<typeof readStream>) {
    for await (const event of readStream.apply(services.store, args)) {
      if (!event.stream.startsWith('slug-')) {
        read++
        if (event.data !== null) readWithData++
      }
      yield event
    }
  },
})
await gateway.stopTemplateService()
await gateway.startTemplateService({ store })

/** The events that the template service reads for a request. */
async function readsOf(...request: Parameters<typeof call>) {
  read = readWithData = 0
  const { status, body } = await call(...request)
  return { status, body, read, readWithData }
}

const many = 40
const saved = async (path: string) => {
  for (let n = 0; n < many; n++) await call('PATCH', path, { body: { html: `version ${n}` } })
}

t.test('a save reads a few events, however often there was one in the last seconds', async (t) => {
  const { id } = (await call('POST', '/v1/templates', { body: { name: 'Saved often', html: 'x' } })).body
  await call('POST', '/v1/partials', { body: { name: 'often', html: 'x' } })
  for (const path of [`/v1/templates/${id}`, '/v1/partials/often']) {
    await saved(path)
    const { status, readWithData } = await readsOf('PATCH', path, { body: { html: 'the last' } })
    t.equal(status, 200)
    t.ok(readWithData <= 4, `${path}: ${readWithData} events`)
  }
  for (let n = 0; n < many; n++) {
    await call('PUT', `/v1/templates/${id}/labels/published`, { body: { version: 1 + (n % 2) } })
  }
  const label = await readsOf('PUT', `/v1/templates/${id}/labels/published`, { body: { version: 3 } })
  t.match(label, { status: 200, body: { labels: { published: 3 } } })
  t.ok(label.readWithData <= 6, `label: ${label.readWithData} events`)
})

t.test('a repeated POST of a template reads a few events, however many versions there are', async (t) => {
  const post = { body: { name: 'Repeated later', html: 'x' }, headers: { 'idempotency-key': 'later' } }
  const { id } = (await call('POST', '/v1/templates', post)).body
  await saved(`/v1/templates/${id}`)
  const { status, body, read } = await readsOf('POST', '/v1/templates', post)
  t.match({ status, body }, { status: 201, body: { id, html: 'x', version: 1 } })
  t.ok(read <= 4, `${read} events`)
})
