import { execFile } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { startTraceCollector } from '@platen/test-support/trace-collector.ts'
import t from 'tap'
import { startTracing } from './start-tracing.ts'
import { inSpan, traceIdOf, tracing } from './tracing.ts'

t.teardown(() => {
  for (const name of Object.keys(process.env)) if (name.startsWith('OTEL_')) delete process.env[name]
})

const parent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'

/** How many modules of OpenTelemetry a process loads that begins as a service does. */
async function loadedWith(env: Record<string, string>): Promise<number> {
  const program = `
    import { registerHooks } from 'node:module'
    setInterval(() => {}, 1_000)
    let count = 0
    registerHooks({ load(url, context, next) {
      if (url.includes('opentelemetry')) count += 1
      return next(url, context)
    } })
    const { runProcess } = await import(${JSON.stringify(new URL('../../../service-kit/src/host/run-process.ts', import.meta.url).href)})
    const exitCode = await runProcess('test', { LOG_LEVEL: 'silent', ...${JSON.stringify(env)} }, async () => {
      console.log(count)
      process.kill(process.pid, 'SIGTERM')
    })
    process.exit(exitCode)`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program])
  return Number(stdout)
}

/** The log lines of the warnings. */
function recorder() {
  const warnings: string[] = []
  const log = { warn: (_: unknown, text: string) => void warnings.push(text), info: () => {} }
  return { warnings, log: log as never }
}

t.test('traces are off by default: no library is loaded, and the parent is passed on', async (t) => {
  const { log } = recorder()
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' }
  for (const env of [{}, { ...endpoint, OTEL_SDK_DISABLED: 'TRUE' }, { ...endpoint, OTEL_TRACES_EXPORTER: 'none' }])
    t.equal(await startTracing(env, 'test', log), undefined)
  t.equal(tracing(), undefined)
  t.equal(await inSpan('x', { parent }, async (traceparent) => traceparent), parent)
  t.equal(await loadedWith({}), 0)
  t.ok((await loadedWith(endpoint)) > 0, 'the test would see them')
})

t.test('spans reach a collector with their parents, kinds, attributes and failures', async (t) => {
  await using collector = await startTraceCollector()
  const { log, warnings } = recorder()
  Object.assign(process.env, {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=blue',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
  })
  const traces = await startTracing(process.env, 'gateway', log)
  const failure = Object.assign(new Error('secret text'), { code: 'RENDER_FAILED' })
  await t.rejects(
    inSpan(
      'outer',
      { kind: 'server', parent, attributes: { 'platen.owner_id': 'own_1', none: undefined } },
      (traceparent) =>
        inSpan('inner', { parent: traceparent }, async () => {
          throw failure
        }),
    ),
    failure,
  )
  await inSpan('root', { parent: 'not a traceparent' }, async (traceparent) =>
    t.match(traceIdOf(traceparent), { trace_id: /^\w{32}$/ }),
  )
  await traces?.[Symbol.asyncDispose]()
  t.equal(tracing(), undefined)
  const [inner, outer, root] = ['inner', 'outer', 'root'].map((wanted) =>
    collector.spans.find(({ name }) => name === wanted),
  )
  t.match(outer, {
    kind: 2,
    traceId: parent.slice(3, 35),
    parentSpanId: parent.slice(36, 52),
    service: 'platen-gateway',
    failed: true,
  })
  t.match(outer?.attributes, { 'platen.owner_id': 'own_1', 'error.type': 'RENDER_FAILED' })
  t.match(inner, { kind: 1, traceId: outer?.traceId, parentSpanId: outer?.spanId })
  t.match(root, { parentSpanId: undefined, failed: false })
  t.match(collector.requests[0], { url: '/v1/traces', headers: { 'x-tenant': 'blue' } })
  t.notMatch(JSON.stringify(collector.spans), /secret text/)
  t.same(warnings, [])
})

t.test('a collector that is down costs bounded memory and one warning', async (t) => {
  const { log, warnings } = recorder()
  Object.assign(process.env, {
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1',
    OTEL_BSP_SCHEDULE_DELAY: '10',
    OTEL_EXPORTER_OTLP_TIMEOUT: '200',
  })
  const traces = await startTracing(process.env, 'gateway', log)
  for (let count = 0; count < 20_000; count++) tracing()?.begin('x').end()
  while (warnings.length === 0) await delay(20)
  for (let count = 0; count < 20_000; count++) tracing()?.begin('x').end()
  await delay(300)
  t.equal(warnings.length, 1)
  t.match(warnings[0], 'trace collector')
  await traces?.[Symbol.asyncDispose]()
})

t.test('an endpoint that is no URL ends the start', async (t) => {
  for (const name of ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT']) {
    const start = startTracing({ [name]: 'collector:4318' }, 'gateway', recorder().log)
    await t.rejects(start, { message: `${name} must be an http or https URL` })
  }
})

t.test('the sampler is that of OTEL_TRACES_SAMPLER', async (t) => {
  const { log, warnings } = recorder()
  const flagsWith = async (env: Record<string, string>, parent?: string) => {
    const traces = await startTracing({ ...env, OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' }, 'test', log)
    const flags = await inSpan('x', { parent }, async (traceparent = '') => traceparent.slice(-2))
    await traces?.[Symbol.asyncDispose]()
    return flags
  }
  t.equal(await flagsWith({}), '01')
  t.equal(await flagsWith({ OTEL_TRACES_SAMPLER: 'always_off' }), '00')
  t.equal(await flagsWith({ OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0' }), '00')
  t.equal(await flagsWith({ OTEL_TRACES_SAMPLER: 'parentbased_always_off' }, parent), '01', 'as the client has decided')
  t.equal(await flagsWith({}, parent.replace(/01$/, '00')), '00')
  t.same(
    warnings.filter((text) => text.startsWith('OTEL_')),
    [],
  )
  t.equal(await flagsWith({ OTEL_TRACES_SAMPLER: 'never' }), '01')
  t.match(warnings.join(), 'OTEL_TRACES_SAMPLER is not known')
})

t.test('a variable that the exporter cannot use is named, without its value if it may be secret', async (t) => {
  const { log, warnings } = recorder()
  const wrong = {
    OTEL_EXPORTER_OTLP_TIMEOUT: 'x',
    OTEL_EXPORTER_OTLP_COMPRESSION: 'zip',
    OTEL_EXPORTER_OTLP_HEADERS: 'secret',
    OTEL_RESOURCE_ATTRIBUTES: 'a=1,b',
    OTEL_BSP_SCHEDULE_DELAY: '2s',
    OTEL_TRACES_SAMPLER_ARG: '7',
  }
  // The exporter reads the environment of the process.
  Object.assign(process.env, wrong)
  t.teardown(() => {
    for (const name of Object.keys(wrong)) delete process.env[name]
  })
  const env = { ...wrong, OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' }
  const traces = await startTracing(env, 'gateway', log)
  await traces?.[Symbol.asyncDispose]()
  for (const name of Object.keys(wrong)) t.equal(warnings.filter((text) => text.includes(name)).length, 1, name)
  t.notMatch(warnings.join(), 'secret')
})
