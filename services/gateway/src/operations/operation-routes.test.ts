import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { defined } from '@platen/foundation/json/defined.ts'
import { sendRaw } from '@platen/test-support/gateway/raw-socket.ts'
import { callGateway, eventually, startTestGateway, testConfig } from '@platen/test-support/gateway/test-gateway.ts'
import { resolveRefs } from '@platen/test-support/resolve-refs.ts'
import { Counter } from 'prom-client'
import t from 'tap'
import { idempotentPosts } from '../../../../clients/typescript/src/retries.ts'
import manifest from '../../../../package.json' with { type: 'json' }
import { clientTypes, clientTypesPath } from '../../../../scripts/write-client-types.ts'
import { committed, openApiPath } from '../../../../scripts/write-openapi.ts'
import { startGateway } from '../start.ts'

const gateway = await startTestGateway()
t.teardown(() => gateway[Symbol.asyncDispose]())
const open = (path: string) => gateway.call('GET', path, { key: null })

t.test('a running gateway is alive and ready', async (t) => {
  t.match(await open('/livez'), { status: 200, body: { status: 'ok' } })
  const { status, body } = await open('/readyz')
  t.equal(status, 200)
  t.same(body, {
    status: 'ok',
    checks: { nats: 'ok', streams: 'ok', event_store: 'ok', object_store: 'ok', disk: 'ok', views: 'ok' },
  })
})

t.test('metrics cover requests, the queue and the process', async (t) => {
  await gateway.call('GET', '/v1/templates/nowhere')
  const { status, headers, bytes } = await open('/metrics')
  t.equal(status, 200)
  t.match(headers.get('content-type'), /^text\/plain/)
  const text = bytes.toString()
  t.match(
    text,
    /platen_http_request_duration_seconds_count\{method="GET",route="\/v1\/templates\/:idOrSlug",status="404"\} 1/,
  )
  t.match(text, /^platen_queued_generations 0$/m)
  t.match(text, /^process_cpu_seconds_total/m)
  t.match(text, /^platen_ready\{check="nats"\} 1$/m)
  t.match(text, /^platen_build_info\{service="gateway",version="\d.*",node="\d.*"\} 1$/m)
  t.match(text, /^platen_consumer_pending\{stream="COMMANDS",consumer="template"\} 0$/m)
  t.match(text, /^platen_deliveries_total\{outcome="exhausted"\} 0$/m, 'before the first one')
})

t.test('details of checks and metrics of owners are shown to operators only', async (t) => {
  const detailed = { name: 'browser', check: async () => {}, detail: () => ({ version: '156.0.8078.79' }) }
  const { metrics } = gateway.services
  const uses = new Counter({ name: 'uses_total', help: 'x', labelNames: ['owner'], registers: [metrics] })
  uses.inc({ owner: 'own_default' })
  await using another = await startGateway(
    { ...testConfig, dataDir: join(gateway.dataDir, 'another') },
    { ...gateway.services, instance: 'another' },
    Promise.resolve([detailed]),
  )
  const textOf = async (path: string, key: string | null | undefined) =>
    String((await callGateway(another.url, 'GET', path, { ...defined({ key }) })).bytes)
  for (const key of [null, await gateway.issueKey('generate')]) {
    t.notMatch(await textOf('/readyz', key), '156.0')
    t.notMatch(await textOf('/metrics', key), 'own_default')
    t.match(await textOf('/metrics', key), 'platen_queued_generations')
  }
  t.match(JSON.parse(await textOf('/readyz', undefined)), { details: { browser: { version: '156.0.8078.79' } } })
  t.match(await textOf('/metrics', undefined), 'uses_total{owner="own_default"} 1')
  t.match(await callGateway(another.url, 'GET', '/metrics', { key: 'pk_unknown_to_everybody' }), { status: 401 })
})

t.test('the schemas of events are served without a key', async (t) => {
  const { status, body } = await open('/schemas')
  t.equal(status, 200)
  for (const file of body.schemas) {
    t.match(await open(`/schemas/${file}`), { status: 200, body: { title: file.split('.')[0] } }, file)
  }
  t.match(await open('/schemas/%00'), { body: { error: { message: 'There is no schema "\\u0000"; see /schemas' } } })
  t.match(await open('/schemas/Nothing.1.json'), { status: 404, body: { error: { code: 'NOT_FOUND' } } })
})

t.test('AsyncAPI is served without a key, and a page about the events loads nothing', async (t) => {
  const { status, body, headers } = await open('/asyncapi.json')
  t.match(
    { status, body },
    { status: 200, body: { asyncapi: '3.0.0', info: { version: manifest.version }, channels: Object } },
  )
  t.equal(headers.get('access-control-allow-origin'), '*')
  const yaml = await open('/asyncapi.yaml')
  t.match(yaml.headers.get('content-type'), /^application\/yaml/)
  t.equal(yaml.bytes.toString(), await readFile('docs/asyncapi.yaml', 'utf8'), 'as in docs/')
  for (const [, schema = ''] of yaml.bytes.toString().matchAll(/\.\/(schemas\/\S+\.json)/g)) {
    t.equal((await open(`/${schema}`)).status, 200, schema)
  }
  const page = await open('/docs/events')
  const text = page.bytes.toString()
  t.match(page.headers.get('content-type'), /^text\/html/)
  t.match(page.headers.get('content-security-policy'), /default-src 'none'; style-src 'sha256-[^']+'; base-uri/)
  t.notMatch(text, /<script|<img|<link|src=|url\(/)
  for (const type of Object.keys(body.components.messages)) t.ok(text.includes(`<section id="${type}">`), type)
  for (const [, path = ''] of text.matchAll(/href="(\/[^"]*)"/g)) t.not((await open(path)).status, 404, path)
})

t.test('browsers must not guess types, and not frame the API reference', async (t) => {
  for (const path of [
    '/livez',
    '/openapi.json',
    '/metrics',
    '/docs',
    '/nothing',
    '/v1/partials',
    '/v1/partials/{idOrName}',
    '/v1/partials/{idOrName}/usage',
    '/v1/partials/{idOrName}/versions',
    '/v1/partials/{idOrName}/versions/{version}',
    '/v1/templates',
    '/v1/templates/%zz',
  ]) {
    const { headers } = await open(path)
    t.equal(headers.get('x-content-type-options'), 'nosniff', path)
  }
  t.equal((await sendRaw(gateway.url, 'hello\r\n\r\n')).headers['x-content-type-options'], 'nosniff')
  const { headers } = await open('/docs/api')
  t.match(headers.get('content-security-policy'), /script-src 'self';.*frame-ancestors 'none'/)
  t.notMatch(headers.get('content-security-policy'), /script-src[^;]*unsafe/)
})

t.test('the OpenAPI document is complete', async (t) => {
  const { status, body: served } = await open('/openapi.json')
  const body = resolveRefs(served)
  t.equal(status, 200)
  t.equal(body.openapi, '3.1.0')
  t.equal(body.info.version, manifest.version)
  // All of its paths are compared below with the types that are made from it, which a review sees.
  for (const path of ['/livez', '/v1/generate', '/v1/files/{file}', '/v1/owners']) t.ok(body.paths[path], path)
  for (const name of ['ApiKey', 'Asset', 'Delivery', 'ErrorEnvelope', 'Generation', 'Owner', 'Partial', 'Template'])
    t.ok(body.components.schemas[name], name)
  t.match(body.components.securitySchemes.apiKey, { type: 'http', scheme: 'bearer' })
  t.ok(body.webhooks['generation.completed'])
  const { body: without } = await open('/openapi.json?webhooks=false')
  t.same(Object.keys(without.paths), Object.keys(body.paths))
  t.notMatch(JSON.stringify(without), /webhooks":|callbacks"|pathItems"|GenerationCompletedWebhook/)

  const tellsOperatorsMore = ['/readyz', '/metrics']
  const ids: string[] = []
  for (const [path, methods] of Object.entries<Record<string, Operation>>(body.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const label = `${method} ${path}`
      ids.push(operation.operationId)
      t.ok(operation.summary && operation.tags.length === 1, label)
      if (!path.startsWith('/v1/') || path.startsWith('/v1/files')) {
        t.same(operation.security, [], `${label} needs no key`)
        t.equal('401' in operation.responses, tellsOperatorsMore.includes(path), label)
      } else {
        t.match(operation.responses['401']?.description, /UNAUTHORIZED/, `${label} needs a key`)
        t.match(operation.responses['414']?.description, /URI_TOO_LONG/, `${label} refuses a query that is too long`)
      }
    }
  }
  t.equal(new Set(ids).size, ids.length, 'operation ids are unique')
  t.ok(ids.every((id) => typeof id === 'string'))

  for (const path of ['/livez', '/readyz', '/metrics']) {
    t.match(await open(`${path}?since=1`), { status: 400, body: { error: { code: 'VALIDATION_ERROR' } } }, path)
    t.match(body.paths[path].get.responses['400'].description, /VALIDATION_ERROR/, path)
  }

  const generate = body.paths['/v1/generate'].post
  const { schema, examples } = generate.requestBody.content['application/json']
  t.same(Object.keys(examples), ['inline', 'chart', 'async'])
  t.same(schema.properties.options.properties.format['x-extensible-enum'], [
    'A4',
    'A3',
    'A5',
    'Letter',
    'Legal',
    'Tabloid',
  ])
  t.equal(schema.additionalProperties, false)
  t.same(Object.keys(generate.responses), [
    '200',
    '202',
    '400',
    '401',
    '403',
    '404',
    '408',
    '409',
    '413',
    '414',
    '415',
    '422',
    '429',
    '500',
    '503',
    '504',
  ])
  t.same(Object.keys(generate.responses['200'].content), ['application/json'], 'clients know one type of a response')
  t.match(generate.description, /`Accept: application\/pdf`/)
  t.match(generate.callbacks.generationEnded['{$request.body#/webhook_url}'].post, {
    summary: 'A generation has ended',
    description: /Standard Webhooks/,
    requestBody: { required: true },
  })
  t.match(generate.responses['422'].description, /RENDER_FAILED/)
  t.match(generate.responses['422'].content['application/json'].examples.RENDER_FAILED.value.error, {
    code: 'RENDER_FAILED',
  })
})

t.test('the types of @platen/client are those of the OpenAPI document', async (t) => {
  const { body: document } = await open('/openapi.json')
  const isCurrent = (await readFile(clientTypesPath, 'utf8')) === (await clientTypes(document))
  t.ok(isCurrent, 'clients/typescript/src/api-types.ts is out of date: run `npm run generate`')
  const paths = Object.entries<{ post?: Operation }>(document.paths)
  const idempotent = paths.filter(([, { post }]) => post?.parameters?.some(({ name }) => name === 'idempotency-key'))
  t.same(
    idempotent.map(([path]) => path).sort(),
    [...idempotentPosts].sort(),
    'POSTs that @platen/client may repeat; see clients/typescript/src/retries.ts',
  )
})

t.test(
  'docs/openapi.json is the document that is served, and /openapi-3.0.json describes the same operations',
  async (t) => {
    const { body: document } = await open('/openapi.json')
    const isCurrent = (await readFile(openApiPath, 'utf8')) === committed(document)
    t.ok(isCurrent, 'docs/openapi.json is out of date: run `npm run generate`')
    const { body: older } = await open('/openapi-3.0.json')
    t.equal(older.openapi, '3.0.3')
    t.same(Object.keys(older.paths), Object.keys(document.paths))
    const schemas = JSON.stringify({ ...older.components.schemas, examples: undefined })
    t.notMatch(schemas, /"type":\[|"type":"null"|"const":|"dependentRequired":|"propertyNames":/, 'no keyword of 3.1')
    t.match(older.components.schemas.ChangedSamples, { type: 'object', nullable: true })
    t.notMatch(JSON.stringify(older.paths), '"deepObject"', 'no object in a query')
    const operationsOf = (paths: object) => Object.values(paths).flatMap((path) => Object.values<Operation>(path))
    const known = new Map(operationsOf(document.paths).map(({ operationId, responses }) => [operationId, responses]))
    for (const operation of operationsOf(older.paths)) {
      const { operationId, requestBody, responses } = operation
      t.ok(Object.keys(requestBody?.content ?? {}).length <= 1, `${operationId}: one body of a request`)
      const errors = Object.entries(responses).filter(([status]) => Number(status) >= 400)
      const bodies = new Set(errors.flatMap(([, error]) => JSON.stringify(error).match(/"\$ref":"[^"]*schemas[^"]*"/g)))
      t.ok(bodies.size <= 1, `${operationId}: one body of all errors`)
      const left = Object.keys(known.get(operationId) ?? {}).filter((status) => !(status in responses))
      t.strictSame(
        left,
        operationId === 'readyz' ? ['400', '401', '429'] : [],
        `${operationId}: the other responses are kept`,
      )
    }
  },
)

interface Operation {
  parameters?: { name: string }[]
  operationId: string
  summary: string
  tags: string[]
  security?: unknown[]
  requestBody?: { content: object }
  responses: Record<string, { description: string; content?: object }>
}

t.test('/docs/api serves the Swagger UI, and / leads to the documentation', async (t) => {
  const { status, headers, bytes } = await open('/docs/api')
  t.equal(status, 200)
  t.match(headers.get('content-type'), /^text\/html/)
  t.match(bytes.toString(), /swagger-ui/)
  t.equal((await open('/docs/api/static/swagger-ui-bundle.js')).status, 200)
  const root = await open('/')
  t.equal(root.status, 302)
  t.equal(root.headers.get('location'), '/docs/')
  t.match(await open('/docs/api/static/nothing.js'), { status: 404, body: { error: { code: 'NOT_FOUND' } } })
})

t.test('a deleted stream of commands is created again, and /readyz answers 503 in between', async (t) => {
  const { jsm } = gateway.services.bus
  const body = { html: 'x' }
  t.equal((await gateway.call('POST', '/v1/generate', { body })).status, 200)
  await jsm.streams.delete('COMMANDS')
  t.match(await open('/readyz'), {
    status: 503,
    body: { status: 'unavailable', checks: { streams: 'unavailable', nats: 'ok' } },
  })
  await eventually(async () => t.equal((await open('/readyz')).status, 200))
  t.match(await gateway.call('POST', '/v1/generate', { body }), { status: 200, body: { status: 'completed' } })
  t.equal((await gateway.call('POST', '/v1/templates', { body: { name: 'Again', html: 'x' } })).status, 201)
})

t.test('/readyz names the failed check', async (t) => {
  const failing = { name: 'browser', check: () => Promise.reject(new Error('no browser')) }
  await using other = await startGateway({ ...testConfig, dataDir: `${gateway.dataDir}/other` }, gateway.services, [
    failing,
  ])
  const { status, body } = await callGateway(other.url, 'GET', '/readyz')
  t.equal(status, 503)
  t.match(body, { status: 'unavailable', checks: { browser: 'unavailable', nats: 'ok' } })
})
