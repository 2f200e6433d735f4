import { type PreviewResult, previewSigns, previewSubjects } from '@platen/domain/generation/preview.ts'
import { openBus } from '@platen/messaging/connection/bus.ts'
import { startNatsServer } from '@platen/test-support/nats-server.ts'
import { recordingLog } from '@platen/test-support/recording-log.ts'
import { startTcpProxy } from '@platen/test-support/tcp-proxy.ts'
import { headers, type Msg, type NatsConnection } from 'nats'
import t from 'tap'
import { requestPreview } from './preview-client.ts'

const { log } = recordingLog()
const server = await startNatsServer()
const proxy = await startTcpProxy(Number(new URL(server.url).port))
const bus = await openBus({ url: `nats://127.0.0.1:${proxy.port}` }, 'gateway', log)
const renderers = await openBus(server, 'renderers', log)
t.teardown(async () => {
  await bus[Symbol.asyncDispose]()
  await renderers[Symbol.asyncDispose]()
  await proxy[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

const preview = { id: 'req_1', payload: Buffer.from('{}') }
const request = () => requestPreview(bus, preview, { timeoutMs: 60_000, signal: new AbortController().signal })
const text = '%PDF-1.7'
const result: PreviewResult = {
  pages: 1,
  size: text.length,
  warnings: [],
  engine: { name: 'chromium', version: '1', mode: 'static' },
  duration_ms: 1,
}

function answer(message: Msg, content: object) {
  const made = headers()
  made.set('Platen-Preview', Buffer.from(JSON.stringify(content)).toString('base64'))
  message.respond('', { headers: made })
}

/** The next requests get one reaction each. Returns when NATS knows the subscription. */
async function react(nats: NatsConnection, ...reactions: ((message: Msg) => void)[]) {
  const subscription = nats.subscribe(previewSubjects.render, {
    queue: 'renderers',
    callback: (_, message) => reactions.shift()?.(message),
  })
  await nats.flush()
  // Until NATS has processed the end, it may send the next test's preview to this subscription.
  return { [Symbol.asyncDispose]: () => subscription.drain() }
}

const print = (message: Msg) => {
  answer(message, { result })
  message.respond(text)
}
const refuse = (message: Msg) =>
  answer(message, { failure: { code: 'SERVICE_UNAVAILABLE', message: 'The renderer is stopping' } })

t.test('a preview that a stopping renderer refuses is sent again', async (t) => {
  await using _ = await react(renderers.nats, refuse, refuse, print)
  t.equal(Buffer.concat((await request()).parts).toString(), text)
})

t.test('a preview that no renderer may begin is sent again for seconds, not three times', async (t) => {
  const message = 'The preview is not printed now: the renderer has no browser; retry'
  const release = (request: Msg) =>
    answer(request, { failure: { code: 'SERVICE_UNAVAILABLE', message }, released: true })
  await using _ = await react(renderers.nats, ...Array(8).fill(release), print)
  t.match(await request(), { pages: 1 })
})

t.test('a preview that three renderers have begun and refuse fails', async (t) => {
  await using _ = await react(renderers.nats, refuse, refuse, refuse, print)
  await t.rejects(request(), { code: 'SERVICE_UNAVAILABLE' })
})

t.test('a preview is sent again until a renderer runs', async (t) => {
  const nobody = proxy.trap({ direction: 'answer', text: 'NATS/1.0 503' }, 60_000)
  const requested = request()
  t.ok(await nobody, 'NATS has answered that nobody subscribes')
  await using _ = await react(renderers.nats, print)
  t.match(await requested, { pages: 1 })
})

t.test('a preview is sent again when the connection was lost with its answer', async (t) => {
  await using _ = await react(renderers.nats, () => proxy.cut(), print)
  t.match(await request(), { pages: 1 })
})

t.test('a preview is sent again when its renderer is silent, and not while one says that it works', async (t) => {
  const sign = headers()
  sign.set(previewSigns.header, '1')
  let begun = 0
  const work = (message: Msg) => {
    begun++
    const working = setInterval(() => message.respond('', { headers: sign }), 100)
    setTimeout(() => {
      clearInterval(working)
      print(message)
    }, previewSigns.lostAfterMs + 1_000)
  }
  const cancelled: string[] = []
  const cancels = renderers.nats.subscribe(previewSubjects.cancel, {
    callback: (_, message) => void cancelled.push(message.string()),
  })
  await using _ = await react(renderers.nats, () => {}, work, print)
  t.match(await request(), { pages: 1 })
  cancels.unsubscribe()
  t.equal(begun, 1)
  t.same(cancelled, [preview.id], 'a renderer that only could not be heard stops')
})

t.test('an answer that begins again replaces what was received before', async (t) => {
  await using _ = await react(renderers.nats, (message) => {
    answer(message, { result })
    message.respond(text.slice(0, 3))
    print(message)
  })
  t.equal(Buffer.concat((await request()).parts).toString(), text)
})

t.test('a refusal of the document is not repeated', async (t) => {
  const failure = { code: 'TEMPLATE_RENDER_ERROR', message: 'no' }
  await using _ = await react(renderers.nats, (message) => answer(message, { failure }), print)
  await t.rejects(request(), { code: 'TEMPLATE_RENDER_ERROR' })
})

t.test('without a renderer, the preview fails', async (t) => {
  await t.rejects(request(), { name: 'DependencyUnavailable', message: 'no renderer is running' })
})
