import { type PreviewResult, previewSubjects } from '@platen/domain/generation/preview.ts'
import { startRelay } from '@platen/service-kit/relay/relay.ts'
import { fakePdf } from '@platen/test-support/gateway/fake-renderer.ts'
import { eventually, startTestGateway } from '@platen/test-support/gateway/test-gateway.ts'
import { startReceiver } from '@platen/test-support/notifier/receiver.ts'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { headers } from 'nats'
import t from 'tap'

type Shown = Record<string, unknown>

interface Operation {
  operationId: string
  parameters?: { name: string; in: string; example?: string }[]
  responses: Record<string, { content?: { 'application/json'?: { schema: object; example?: Shown } } }>
  requestBody?: { content: Record<string, { example?: unknown; examples?: Record<string, { value: unknown }> }> }
}

const gateway = await startTestGateway({ webhookAllowPrivate: true })
const notifier = await gateway.startNotifier()
const stopping = new AbortController()
const relay = await startRelay({ ...gateway.services, service: 'renderer', stopping: stopping.signal })
const receiver = await startReceiver()
t.teardown(async () => {
  previews.unsubscribe()
  stopping.abort()
  await relay.done
  await notifier[Symbol.asyncDispose]()
  await gateway[Symbol.asyncDispose]()
  await receiver[Symbol.asyncDispose]()
})
// The fake renderer has no browser for a preview.
const previews = gateway.services.bus.nats.subscribe(previewSubjects.render, {
  callback: (_, message) => {
    const engine = { name: 'fake', version: '1', mode: 'static' as const }
    const result: PreviewResult = { pages: 1, size: fakePdf.length, warnings: [], engine, duration_ms: 1 }
    const answer = headers()
    answer.set('Platen-Preview', Buffer.from(JSON.stringify({ result })).toString('base64'))
    message.respond(fakePdf, { headers: answer })
  },
})
const post = async (path: string, body: object) => (await gateway.call('POST', path, { body })).body

/** What the ids of the examples stand for. */
async function makeResources() {
  const { id: key } = await post('/v1/keys', { name: 'Example', scopes: ['generate'] })
  const { id: owner } = await post('/v1/owners', { name: 'Example' })
  gateway.renderer.behaviour = 'held'
  const { id: running } = await post('/v1/generate', { html: 'x', async: true })
  while (gateway.renderer.taken.at(-1)?.request.generation_id !== running) await new Promise(setImmediate)
  const makeBatch = () => post('/v1/batches', { metadata: { run: 'x' }, items: [{ html: 'x' }] })
  const { id: runningBatch } = await makeBatch()
  while (gateway.renderer.taken.at(-1)?.request.batch?.id !== runningBatch) await new Promise(setImmediate)
  gateway.renderer.behaviour = 'complete'
  const { id: batch } = await makeBatch()
  await eventually(async () => {
    const { body } = await gateway.call('GET', `/v1/batches/${batch}`)
    if (body.ended_at === undefined) throw new Error(JSON.stringify(body))
  })
  const { id } = await post('/v1/generate', { html: 'x', async: true, webhook_url: receiver.url('/done') })
  await receiver.calls('/done', 1)
  const { body: generation } = await gateway.call('GET', `/v1/generations/${id}?wait=60`)
  const { id: large } = await post('/v1/generate', { html: 'x'.repeat(700 * 1024) })
  const { body: deliveries } = await gateway.call('GET', `/v1/generations/${id}/deliveries`)
  const deadLetter = await gateway.services.bus.js.publish('dead-letters.commands.template.tpl_1', 'x')
  const ofPrefix = new Map([
    ['42', String(deadLetter.seq)],
    ['key', key],
    ['own', owner],
    ['bat', batch],
    ['pdf', id],
    ['msg', deliveries.data[0].id],
  ])
  return {
    running,
    runningBatch,
    large,
    generation,
    idFor: (example: string) =>
      example.startsWith('generation-') ? `generation-${id}` : (ofPrefix.get(example.slice(0, 3)) ?? example),
  }
}

/**
 * Operations that need a renderer. test/features/preview.test.ts and compare-pages.test.ts have one, and
 * batches.test.ts has PDFs to merge.
 */
const notHere = ['preview', 'compareTemplatePages', 'compareGenerations', 'getBatchPdf']

t.test('the example of every operation succeeds when it is sent', async (t) => {
  const { body: document } = await gateway.call('GET', '/openapi.json')
  const { running, runningBatch, large, generation, idFor } = await makeResources()
  const held: Record<string, string> = {
    cancelGeneration: running,
    cancelBatch: runningBatch,
    retryGeneration: large,
  }
  const operations = Object.entries<Record<string, Operation>>(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), ...operation })),
  )
  // What creates is sent first, and what deletes last: a part of something else before the whole.
  const rank = ({ method, path }: { method: string; path: string }) => (method === 'DELETE' ? 1_000 - path.length : 0)
  const order = operations.sort((one, other) => rank(one) - rank(other))
  const creating = order.filter(({ method, path }) => method === 'PUT' || (method === 'POST' && !path.includes('{')))
  for (const operation of new Set([...creating, ...order])) {
    const { method, path, operationId, parameters = [], requestBody, responses } = operation
    if (notHere.includes(operationId)) continue
    const example = (name: string) => parameters.find((parameter) => parameter.name === name)?.example ?? ''
    const filled = path.replace(/\{(\w+)\}/g, (_, name) => held[operationId] ?? idFor(String(example(name))))
    const url = operationId === 'getFile' ? generation.url : filled
    for (const [type, content] of Object.entries(requestBody?.content ?? { none: {} })) {
      for (const { value } of Object.values(content.examples ?? { only: { value: content.example } })) {
        const body = /[/+]json$/.test(type) ? { body: value } : { rawBody: String(value) }
        const call = value === undefined ? {} : { ...body, headers: { 'content-type': type } }
        const answer = await gateway.call(method, url, { ...call, firstEvent: true })
        t.ok(answer.status < 300, `${operationId}: ${answer.status} ${JSON.stringify(answer.body?.error)}`)
        const { example } = responses[answer.status]?.content?.['application/json'] ?? {}
        if (example && method !== 'HEAD')
          t.strictSame(notShown(answer.body, example), [], `${operationId}: its example`)
      }
    }
  }
})

/**
 * Fields of an answer that its example lacks, including those of the items of a page. One example stands for all
 * errors.
 */
function notShown(answer: Shown, example: Shown): string[] {
  const items = ({ data }: Shown) => (Array.isArray(data) ? data : [])
  const fields = (body: Shown) => [...Object.keys(body), ...items(body).flatMap((item) => Object.keys(item))]
  const shown = new Set(fields(example))
  return fields(answer).filter((field) => field !== 'error' && !shown.has(field))
}

t.test('every answer that is JSON has an example that its schema allows', async (t) => {
  const { body: document } = await gateway.call('GET', '/openapi.json')
  const ajv = addFormats.default(new Ajv2020({ strict: false }))
  ajv.addSchema(document, 'openapi')
  const paths: Record<string, Operation>[] = Object.values(document.paths)
  for (const { operationId, responses } of paths.flatMap((methods) => Object.values(methods))) {
    for (const [status, { content }] of Object.entries(responses)) {
      const { schema, example } = content?.['application/json'] ?? {}
      if (!schema || status >= '400') continue
      t.ok(example, `${operationId} ${status} has an example`)
      const { $ref } = schema as { $ref?: string }
      const isValid = ajv.validate($ref === undefined ? schema : { $ref: `openapi${$ref}` }, example)
      t.ok(isValid, `${operationId} ${status}: ${ajv.errorsText()}`)
    }
  }
})
