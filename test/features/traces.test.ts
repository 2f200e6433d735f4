import t, { type Test } from 'tap'
import { startReceiver } from '../support/notifier/receiver.ts'
import { startOneOfEach } from '../support/one-of-each.ts'
import { type PlatenRequest, startPlaten } from '../support/platen.ts'
import { type ReceivedSpan, startTraceCollector, type TraceCollector } from '../support/trace-collector.ts'
import { until } from '../support/until.ts'

t.setTimeout(600_000)

const clientTrace = '0af7651916cd43dd8448eb211c80319c'
const clientSpan = 'b7ad6b7169203331'
const traceparent = `00-${clientTrace}-${clientSpan}-01`

type Send = (path: string, init?: PlatenRequest) => Promise<{ status: number; headers: Headers; body: unknown }>

/** Creates a template, prints it, and lets the webhook fail once. The whole must be one trace. */
async function checkTrace(t: Test, send: Send, collector: TraceCollector) {
  await using receiver = await startReceiver((response, nth) => response.writeHead(nth === 1 ? 500 : 204).end())
  const html = '<h1>Secret contents {{name}}</h1>'
  const created = await send('/v1/templates', { body: { name: 'Traced', html }, headers: { traceparent } })
  t.equal(created.status, 201)
  const { id: template } = created.body as { id: string }
  const body = { template, data: { name: 'Secret name' }, webhook_url: receiver.url('/hook?token=secret'), async: true }
  const accepted = await send('/v1/generate', { body, headers: { traceparent } })
  const generation = accepted.headers.get('x-generation-id') ?? ''
  const calls = await receiver.calls('/hook?token=secret', 2)

  const ofTrace = () => collector.spans.filter(({ traceId }) => traceId === clientTrace)
  const named = (name: string, more: (span: ReceivedSpan) => boolean = () => true) =>
    until(
      () => ofTrace().find((span) => span.name === name && more(span)),
      () => `no ${name} in ${ofTrace().map(({ name }) => name)}`,
    )
  const post = await named('POST /v1/generate')
  t.match(post, { kind: 2, parentSpanId: clientSpan })
  t.match(post.attributes, {
    'http.request.method': 'POST',
    'http.route': '/v1/generate',
    'http.response.status_code': 202,
    'platen.request_id': accepted.headers.get('x-request-id'),
    'platen.generation_id': generation,
    'platen.owner_id': 'own_default',
    'platen.api_key_id': /^key_/,
  })
  const childOf = async (parent: ReceivedSpan, name: string) => {
    const child = await named(name, ({ parentSpanId }) => parentSpanId === parent.spanId)
    t.ok(child.endMs >= child.startMs, name)
    return child
  }
  const sent = await childOf(post, 'send commands.render.batch')
  t.equal(sent.kind, 4)
  await childOf(sent, 'queue commands.render.batch')
  const processed = await childOf(sent, 'process commands.render.batch')
  t.match(processed, { kind: 5, attributes: { 'platen.generation_id': generation, 'platen.owner_id': 'own_default' } })
  for (const id of ['platen.request_id', 'platen.api_key_id'])
    t.equal(processed.attributes[id], post.attributes[id], `${id} is the same in all processes`)
  for (const name of ['wait for a slot', 'fill', 'store']) await childOf(processed, name)
  const rendered = await childOf(processed, 'render')
  t.match(rendered.attributes, { 'platen.pages': 1, 'platen.mode': 'static' })
  for (const name of ['page', 'load', 'print']) await childOf(rendered, name)
  await childOf(processed, 'append generation')
  const published = await childOf(processed, 'send events.generation.completed')
  const ended = await childOf(published, 'process events.generation.completed')
  await childOf(ended, 'append delivery')

  const attempts = await until(() => {
    const found = ofTrace().filter(({ name, parentSpanId }) => name === 'POST webhook' && parentSpanId === ended.spanId)
    return found.length === 2 ? found : undefined
  }, 'there are not two attempts')
  t.same(attempts.map(({ failed, attributes }) => [failed, attributes['http.response.status_code']]).sort(), [
    [false, 204],
    [true, 500],
  ])
  t.same(
    calls.map(({ headers }) => headers.traceparent).sort(),
    attempts.map(({ spanId }) => `00-${clientTrace}-${spanId}-01`).sort(),
    'the receiver can go on with the trace',
  )
  const command = await named('process commands.template')
  const append = await named('append template', ({ parentSpanId }) => parentSpanId === command.spanId)
  t.match(append.attributes, { 'platen.events': 'TemplateCreated' })
  const text = JSON.stringify(collector.spans)
  for (const secret of ['Secret', 'token', 'signature']) t.notMatch(text, secret)
}

t.test('a request is one trace, from HTTP to the webhook, over four processes', async (t) => {
  await using collector = await startTraceCollector()
  const settings = {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_BSP_SCHEDULE_DELAY: '50',
    WEBHOOK_SCHEDULE: '0,1,1',
  }
  await using platen = await startOneOfEach({ settings })
  await checkTrace(t, platen.json, collector)
  const names = new Set(collector.spans.map(({ service }) => service))
  t.same([...names].sort(), ['platen-gateway', 'platen-notifier', 'platen-renderer', 'platen-template'])
  const lines = (service: 'gateway' | 'notifier') =>
    platen
      .output(service)
      .split('\n')
      .filter((line) => line.includes(`"trace_id":"${clientTrace}"`))
      .join('\n')
  t.match(lines('gateway'), /"msg":"request"/)
  t.match(lines('notifier'), /"generation":"pdf_.*"msg":"generation completed"/)
  t.match(lines('notifier'), /"msg":"webhook attempted"/)
})

t.test('a request is one trace with npm start', async (t) => {
  await using collector = await startTraceCollector()
  const settings = {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_BSP_SCHEDULE_DELAY: '50',
    WEBHOOK_SCHEDULE: '0,1,1',
  }
  await using platen = await startPlaten({ ...settings, OTEL_SERVICE_NAME: 'documents' })
  await checkTrace(t, platen.json, collector)
  t.same([...new Set(collector.spans.map(({ service }) => service))], ['documents'])
})

t.test('documents are printed and the process stops as usual while the collector is down', async (t) => {
  await using platen = await startPlaten({
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1',
    OTEL_BSP_SCHEDULE_DELAY: '10',
  })
  const results = await Promise.all(
    Array.from({ length: 20 }, () => platen.request('/v1/generate', { body: { html: '<p>printed' } })),
  )
  t.same(new Set(results.map(({ status }) => status)), new Set([200]))
  await until(() => (platen.output().includes('trace collector') ? true : undefined), 'nothing warns')
  t.equal(await platen.stop(), 0)
  t.equal(platen.output().match(/trace collector/g)?.length, 1)
})
