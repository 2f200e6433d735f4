import { type Arbitrary, fc } from '@platen/test-support/fast-check.ts'
import { type Answer, startTestGateway } from '@platen/test-support/gateway/test-gateway.ts'
import { resolveRefs } from '@platen/test-support/resolve-refs.ts'
import t from 'tap'

interface Operation {
  operationId: string
  description?: string
  parameters?: { name: string; in: string; required?: boolean; schema?: object; example?: string }[]
  requestBody?: { content: Record<string, { schema: Schema; example?: unknown; examples?: Record<string, Example> }> }
  responses: Record<string, { content?: Record<string, { schema: Schema }>; headers?: object }>
}

interface Example {
  value: unknown
}

interface Schema {
  $ref?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  enum?: unknown[]
  type?: string
}

interface AnyRequest {
  path: Record<string, string>
  query: Record<string, string>
  headers: Record<string, string>
  body: unknown
}

const runs = 60

const gateway = await startTestGateway()
const notifier = await gateway.startNotifier()
t.teardown(async () => {
  await notifier[Symbol.asyncDispose]()
  await gateway[Symbol.asyncDispose]()
})
const { body: served } = await gateway.call('GET', '/openapi.json')
const document = resolveRefs(served)

/** Header values are visible ASCII characters and spaces. */
const headerValue = fc.string({ unit: fc.integer({ min: 32, max: 126 }).map((code) => String.fromCharCode(code)) })
const known = await knownIds()
const text = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.constantFrom(...known, '0', '-1', '5', 'null'))

function anyRequest({ parameters = [], requestBody }: Operation): Arbitrary<AnyRequest> {
  const named = (place: string) => parameters.filter((parameter) => parameter.in === place).map(({ name }) => name)
  const [firstPath] = named('path')
  const schema = Object.values(requestBody?.content ?? {})[0]?.schema
  const segment = text.filter((part) => !/^\.{0,2}$/.test(part))
  const names = [...named('header'), 'accept', 'prefer', 'range', 'if-none-match']
  return fc.record({
    path: fc.record(firstPath === undefined ? {} : { [firstPath]: fc.oneof(fc.constantFrom(...known), segment) }),
    // An unknown name or owner ends most requests at once.
    query: sometimes(someOf([...named('query'), 'unknown'].map((name) => [name, text]))),
    headers: sometimes(someOf(names.map((name) => [name, headerValue]))),
    body: schema === undefined ? fc.constant(undefined) : anyBody(schema),
  })
}

function sometimes<Value>(fields: Arbitrary<Record<string, Value>>): Arbitrary<Record<string, Value>> {
  return fc.oneof({ weight: 4, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: fields })
}

/** A few of the fields. */
function someOf<Value>(fields: [string, Arbitrary<Value>][], always: [string, Arbitrary<Value>][] = []) {
  const chosen = fc.subarray(fields, { maxLength: Math.min(3, fields.length) })
  return chosen.chain((some) => fc.record(Object.fromEntries([...always, ...some])) as Arbitrary<Record<string, Value>>)
}

/** Any JSON, and often JSON that resembles a valid value. */
function anyBody(schema: Schema, depth = 0): Arbitrary<unknown> {
  const any = fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.jsonValue({ stringUnit: 'binary' }))
  return fc.oneof({ weight: 1, arbitrary: any }, { weight: 9, arbitrary: plausible(schema, depth) })
}

function plausible(
  { properties, required = [], items, enum: values, type }: Schema,
  depth: number,
): Arbitrary<unknown> {
  if (values) return fc.constantFrom(...values)
  if (properties && depth < 4) {
    const fields = Object.entries(properties).map(
      ([name, of]) => [name, anyBody(of, depth + 1)] as [string, Arbitrary<unknown>],
    )
    const isAlways = ([name]: [string, unknown]) => required.includes(name) || name === 'html'
    return someOf(
      fields.filter((field) => !isAlways(field)),
      fields.filter(isAlways),
    )
  }
  switch (type) {
    case 'string':
      return fc.oneof(fc.constantFrom(...known, '<p>{{a}}', '{{#if', '1-3', '2026-01-31', 'http://10.0.0.1/'), text)
    case 'integer':
      return fc.oneof(fc.integer({ min: -1, max: 10 }), fc.integer())
    case 'number':
      return fc.double({ noNaN: true, noDefaultInfinity: true })
    case 'boolean':
      return fc.boolean()
    case 'array':
      return fc.array(anyBody(items ?? {}, depth + 1), { maxLength: 3 })
    default:
      return fc.jsonValue()
  }
}

/** Ids that exist, so that requests get further than a 404. */
async function knownIds(): Promise<string[]> {
  const template = await gateway.call('POST', '/v1/templates', { body: { name: 'Known', html: '<p>{{a}}' } })
  const generation = await gateway.call('POST', '/v1/generate', { body: { html: 'x' } })
  const key = await gateway.call('POST', '/v1/keys', { body: { name: 'Known', scopes: ['generate'] } })
  return [template.body.id, template.body.slug, generation.body.id, `${generation.body.id}.pdf`, key.body.id]
}

async function send(method: string, path: string, request: AnyRequest): Promise<Answer> {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encode(request.path[name] ?? ''))
  const query = Object.entries(request.query).map(([name, value]) => `${name}=${encode(value)}`)
  const { body, headers } = request
  return gateway.call(method, `${filled}${query.length > 0 ? `?${query.join('&')}` : ''}`, {
    headers,
    firstEvent: true,
    ...(body !== undefined && { rawBody: JSON.stringify(body) }),
  })
}

/** `encodeURIComponent` throws for lone surrogates. */
function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}

let accepted = 0
for (const [path, methods] of Object.entries<Record<string, Operation>>(document.paths)) {
  for (const [method, operation] of Object.entries(methods)) {
    // Health and metrics say what the process is like, which may be a 503.
    if (!path.startsWith('/v1/')) continue
    t.test(`any request to ${method} ${path} gets a documented answer, and no 5xx`, async (t) => {
      const documented = Object.keys(operation.responses)
      const property = fc.asyncProperty(anyRequest(operation), async (request) => {
        const { status, body } = await send(method.toUpperCase(), path, request)
        if (status < 300) accepted += 1
        const isDocumented = documented.includes(String(status)) && status < 500
        if (!isDocumented) throw new Error(`${status} ${JSON.stringify(body)}`)
      })
      const result = await fc.check(property, { numRuns: runs, interruptAfterTimeLimit: 20_000 })
      t.notOk(result.failed, fc.defaultReportMessage(result) ?? '')
    })
  }
}

t.test('requests get further than their validation', async (t) => {
  t.ok(accepted > runs, `${accepted} were accepted`)
})

const operations = (of: typeof document) =>
  Object.entries<Record<string, Operation>>(of.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), ...operation })),
  )

t.test('generators of clients find a name and a type for everything in the document', async (t) => {
  const { schemas } = served.components
  for (const name of ['GenerateRequest', 'GenerateOptions', 'TemplatePage', 'Warning', 'ErrorCode', 'Metadata'])
    t.ok(schemas[name], name)
  const untyped: unknown[] = []
  JSON.stringify(served, (_, value) => {
    if (Array.isArray(value?.enum) && value.type !== 'string' && !isPartOfARule(value)) untyped.push(value)
    // A set in Java, which cannot hold an enumeration.
    if (value?.uniqueItems && value.type) untyped.push(value)
    return value
  })
  t.same(untyped, [])
  const requests = operations(served).flatMap(({ requestBody }) => jsonOf(requestBody))
  const webhooks = Object.values<{ post: Operation }>(served.components.pathItems).map(({ post }) => post)
  const responses = operations(served).flatMap((operation) => Object.values(operation.responses))
  const bodies = [...requests, ...webhooks.flatMap(({ requestBody }) => jsonOf(requestBody))]
  for (const { schema } of bodies) t.match(schema, { $ref: /^#\/components\/schemas\/\w+$/ }, 'a named body')
  for (const { content } of responses) {
    const json = content?.['application/json']?.schema
    if (json) t.match(json, { $ref: String }, 'a named response')
  }
})

/** Bytes have no schema. */
function jsonOf(body: Operation['requestBody']) {
  return Object.entries(body?.content ?? {}).flatMap(([type, content]) => (/[/+]json$/.test(type) ? [content] : []))
}

/** A condition of a rule, such as `then: {properties: {async: {enum: [true]}}}`. */
function isPartOfARule({ enum: values }: { enum: unknown[] }): boolean {
  return values.length === 1 && values[0] === true
}

t.test('every operation has an id, a description, examples and headers', async (t) => {
  const ids = operations(served).map(({ operationId }) => operationId)
  t.equal(new Set(ids).size, ids.length)
  for (const { operationId, description, parameters = [], requestBody, responses } of operations(served)) {
    t.ok(operationId && description, operationId)
    t.ok((description?.split('Needs the scope').length ?? 0) <= 2, `the scope of ${operationId} is said once`)
    const unexplained = parameters.filter((parameter) => parameter.in === 'path' && parameter.example === undefined)
    t.same(unexplained, [], operationId)
    const contents = Object.values(requestBody?.content ?? {})
    t.ok(contents.length === 0 || contents.some((content) => content.example ?? content.examples), operationId)
    for (const { headers } of Object.values(responses)) t.ok(headers, operationId)
  }
})
