import t from 'tap'
import { generate } from '../support/print.ts'
import { ownerOfSharedPlaten } from '../support/shared-platen.ts'

interface Operation {
  operationId: string
  parameters?: { name: string; in: string }[]
  requestBody?: object
  responses: Record<string, { content?: Record<string, { schema: object }> }>
  security?: object[]
}

interface OpenApi {
  openapi: string
  info: { title: string; version: string }
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, object>; securitySchemes: Record<string, { type: string; scheme: string }> }
  security?: object[]
  webhooks?: Record<string, object>
}

const platen = await ownerOfSharedPlaten()
const open = async (path: string) => {
  const response = await fetch(new URL(path, platen.url))
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() }
}

t.test('/openapi.json describes every operation', async (t) => {
  const { status, type, text } = await open('/openapi.json')
  t.equal(status, 200)
  t.match(type, /^application\/json/)
  const api: OpenApi = JSON.parse(text)
  t.match(api.openapi, /^3\.1\.\d$/)
  t.ok(api.info.title && api.info.version)

  const wanted: [method: string, path: RegExp, statuses: string[]][] = [
    ['post', /^\/v1\/templates$/, ['201', '400', '401', '403', '413', '415', '422']],
    ['get', /^\/v1\/templates$/, ['200', '400', '401', '403']],
    ['get', /^\/v1\/templates\/\{\w+\}$/, ['200', '304', '404']],
    ['patch', /^\/v1\/templates\/\{\w+\}$/, ['200', '400', '404', '412', '422']],
    ['delete', /^\/v1\/templates\/\{\w+\}$/, ['204', '404', '412']],
    ['post', /^\/v1\/generate$/, ['200', '202', '400', '401', '403', '404', '413', '415', '422', '503', '504']],
    ['get', /^\/v1\/generations$/, ['200', '400']],
    ['get', /^\/v1\/generations\/\{\w+\}$/, ['200', '404']],
    ['delete', /^\/v1\/generations\/\{\w+\}$/, ['200', '404', '409']],
    ['get', /^\/v1\/files\/\{\w+\}/, ['200', '403', '410']],
    ['get', /^\/v1\/webhook-secret$/, ['200', '401']],
    ['get', /^\/livez$/, ['200']],
    ['get', /^\/readyz$/, ['200']],
    ['get', /^\/metrics$/, ['200']],
  ]
  const operationIds = new Set<string>()
  for (const [method, pattern, statuses] of wanted) {
    const path = Object.keys(api.paths).find((one) => pattern.test(one)) ?? ''
    const operation = api.paths[path]?.[method]
    t.ok(operation, `${method} ${pattern}`)
    if (!operation) continue
    operationIds.add(operation.operationId)
    for (const one of statuses) t.ok(operation.responses[one], `${method} ${path} documents ${one}`)
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    const described = operation.parameters?.filter((parameter) => parameter.in === 'path').map(({ name }) => name) ?? []
    t.strictSame(described, inPath, `${method} ${path} describes its parameters`)
  }
  t.equal(operationIds.size, wanted.length, 'operation ids are unique')
  const scheme = Object.values(api.components.securitySchemes)
  t.match(scheme, [
    { type: 'http', scheme: 'bearer' },
    { type: 'http', scheme: 'basic' },
  ])

  t.test('every $ref has a target', async (t) => {
    const references = new Set([...text.matchAll(/"\$ref":\s*"([^"]+)"/g)].map(([, reference]) => reference ?? ''))
    t.ok(references.size > 0)
    for (const reference of references) {
      t.match(reference, /^#\//)
      const steps = reference.slice(2).split('/')
      const target = steps.reduce<unknown>((at, step) => (at as Record<string, unknown> | undefined)?.[step], api)
      t.ok(target, reference)
    }
  })

  t.test('every option and field of the API is described', async (t) => {
    const described = JSON.stringify(api)
    for (const field of [
      ...['html', 'template', 'template_version', 'data', 'options', 'async', 'webhook_url'],
      ...['format', 'landscape', 'margin', 'top', 'bottom', 'left', 'right', 'header_html', 'footer_html'],
      ...['print_background', 'scale', 'page_ranges', 'sample_data', 'slug', 'poll_url', 'duration_ms', 'request_id'],
      ...[
        'javascript',
        'wait_for',
        'selector',
        'expression',
        'ms',
        'outline',
        'tagged',
        'fail_on',
        'warnings',
        'engine',
      ],
    ]) {
      t.ok(described.includes(`"${field}":`), field)
    }
    t.match(described, 'application/pdf')
    t.match(described, /idempotency-key/i)
  })
})

t.test('/docs/api loads its assets from this server only', async (t) => {
  const page = await fetch(`${platen.url}/docs/api`)
  t.equal(page.status, 200)
  t.match(page.headers.get('content-type'), /^text\/html/)
  const html = await page.text()
  const assets = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url]) => new URL(url ?? '', page.url))
  t.ok(assets.length > 0)
  for (const asset of assets) {
    t.equal(asset.origin, platen.url, asset.href)
    const { status, text } = await open(asset.href)
    t.equal(status, 200, asset.href)
    if (asset.pathname.endsWith('.css')) t.notMatch(text, /url\(["']?https?:/)
  }
  t.notMatch(html, /https?:\/\/(?!127\.0\.0\.1)[^"'\s<]*\.(js|css|woff2?|png)/)
})

t.test('/livez and /readyz answer 200', async (t) => {
  t.equal((await open('/livez')).status, 200)
  const { status, text } = await open('/readyz')
  t.equal(status, 200)
  t.match(JSON.parse(text).checks, { nats: 'ok', streams: 'ok', event_store: 'ok', object_store: 'ok', browser: 'ok' })
})

t.test('/metrics answers metrics in the format of Prometheus', async (t) => {
  await generate(platen, { html: 'x' })
  const { status, type, text } = await open('/metrics')
  t.equal(status, 200)
  t.match(type, /^text\/plain/)
  t.match(text, /^platen_http_request_duration_seconds_count\{.*route="\/v1\/generate".*status="200".*\} [1-9]\d*$/m)
  const malformed = text.split('\n').filter((line) => !/^(|# (HELP|TYPE) \w+ .+|\w+(\{.*\})? \S+)$/.test(line))
  t.strictSame(malformed, [], 'Prometheus can read every line')
})
