import { hostileBodies, type OpenApi, type Schema } from '@platen/test-support/gateway/hostile-bodies.ts'
import { startTestGateway } from '@platen/test-support/gateway/test-gateway.ts'
import { growth, maxGrowth } from '@platen/test-support/growth.ts'
import type { ErrorObject } from 'ajv'
import fastify from 'fastify'
import t, { type Test } from 'tap'
import { structureOf } from './bodies/json-structure.ts'
import { fieldProblems } from './errors/field-problems.ts'
import { validation } from './plugins/validation.ts'

const gateway = await startTestGateway()
t.teardown(() => gateway[Symbol.asyncDispose]())

const texts = (count: number) => Array.from({ length: count }, (_, at) => `text ${at}`)
const fields = (count: number) => texts(count).map((name) => `"${name}":1`)

interface Hostile {
  rawBody: string
  status: number
  message: RegExp
}

const hostile: Record<string, Hostile> = {
  'options.fail_on with 60,000 different texts': {
    rawBody: JSON.stringify({ html: 'x', options: { fail_on: texts(60_000) } }),
    status: 400,
    message: /^options\.fail_on must have at most \d+ items/,
  },
  '30,000 unknown fields': { rawBody: `{"html":"x",${fields(30_000)}}`, status: 400, message: /is not a known field/ },
  '30,000 unknown options': {
    rawBody: `{"html":"x","options":{${fields(30_000)}}}`,
    status: 400,
    message: /is not a known field/,
  },
  '400,000 unknown fields': { rawBody: `{"html":"x",${fields(400_000)}}`, status: 413, message: /the limit is 250000/ },
}

/** The least processor time of four requests: it does not depend on what else the machine does. */
async function leastMs(rawBody: string): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < 4; round++) {
    const before = process.cpuUsage()
    await gateway.call('POST', '/v1/generate', { rawBody })
    const { user, system } = process.cpuUsage(before)
    times.push((user + system) / 1_000)
  }
  return Math.min(...times)
}

for (const [what, { rawBody, status, message }] of Object.entries(hostile)) {
  t.test(`${what} are refused about as fast as other JSON of that size is parsed`, async (t) => {
    const answer = await gateway.call('POST', '/v1/generate', { rawBody })
    t.match(answer, { status, body: { error: { message } } })
    t.ok((answer.body.error.details?.length ?? 0) <= 20, 'few problems are listed')
    const measured: string[] = []
    while (measured.length < 5) {
      const invalid = await leastMs(`{"html":"x","data":{${fields(30_000)}},"async":1}`)
      const took = await leastMs(rawBody)
      const summary = `${Math.round(took)} ms; a body of 30,000 fields of data: ${Math.round(invalid)} ms`
      // Quadratic work on the body took hundreds of times as long.
      if (took < 8 * invalid + 50) return t.pass(summary)
      measured.push(summary)
    }
    t.fail('it took longer each time', { measured })
  })
}

const data_schema = { required: [] }

const template = { name: 'with a schema', html: 'x', data_schema }
const { id } = (await gateway.call('POST', '/v1/templates', { body: template })).body

interface LargeBody {
  path: string
  /** The body around an object. */
  around: readonly [before: string, after: string]
  fields: number
  status: number
}

const largeBodies: Record<string, LargeBody> = {
  'data of a document': {
    path: '/v1/generate',
    around: [`{"template":"${id}","data":`, '}'],
    fields: 100_000,
    status: 200,
  },
  // They are too large: what is accepted is parsed by the template service, which runs in this thread, too.
  'sample data of a template': {
    path: '/v1/templates',
    around: ['{"name":"x","html":"x","sample_data":', '}'],
    fields: 60_000,
    status: 400,
  },
  'samples of a template': {
    path: '/v1/templates',
    around: ['{"name":"x","html":"x","samples":{"one":', '}}'],
    fields: 60_000,
    status: 400,
  },
}

t.test('the main thread does nothing with the values of a large body', async (t) => {
  for (const [what, body] of Object.entries(largeBodies)) await t.test(what, (t) => compareMainTime(t, body))
})

async function compareMainTime(t: Test, { path, around, fields: count, status }: LargeBody): Promise<void> {
  const mainMs = async (object: string) => {
    let least = Number.POSITIVE_INFINITY
    for (let round = 0; round < 4; round++) {
      const headers = { 'idempotency-key': crypto.randomUUID() }
      const before = process.threadCpuUsage()
      const answer = await gateway.call('POST', path, { rawBody: around.join(object), headers })
      const { user, system } = process.threadCpuUsage(before)
      t.equal(answer.status, status)
      least = Math.min(least, (user + system) / 1_000)
    }
    return least
  }
  const map = `{${fields(count)}}`
  const measured: string[] = []
  while (measured.length < 5) {
    const text = await mainMs(JSON.stringify({ text: 'x'.repeat(map.length) }))
    const values = await mainMs(map)
    const summary = `${values.toFixed(1)} ms for ${count} fields; ${text.toFixed(1)} ms for a text of the same length`
    // In the main thread it would be several times as long: of data twenty times.
    if (values < 4 * text) return void t.pass(summary)
    measured.push(summary)
  }
  t.fail('it took longer each time', { measured })
}

const app = fastify()
app.register(validation)
await app.ready()

type Validator = (value: unknown) => true | { error: ErrorObject[] }

/** The work on a body that is done at once: its structure, its validation, and the list of its problems. */
function checker(schema: Schema) {
  const validate = app.validatorCompiler?.({ schema, httpPart: 'body', method: '', url: '' }) as unknown as Validator
  return (text: string, value: unknown) => {
    structureOf(text, { depth: 64, values: 250_000, fields: 250_000 })
    const result = validate(value)
    if (result !== true) fieldProblems(result.error, 'body')
  }
}

t.test('the time to check a body grows in proportion to its size, for any field of any operation', async (t) => {
  const { body: document } = await gateway.call('GET', '/openapi.json')
  const checkers = new Map<Schema, ReturnType<typeof checker>>()
  const tried = new Set<string>()
  const slow: string[] = []
  for (const { what, schema, fieldSchema, text } of hostileBodies(document as OpenApi)) {
    // Fields of the same kind are checked alike.
    const [field, shape] = what.split(': ')
    const { type, pattern, items, properties } = fieldSchema ?? { type: field }
    const like = JSON.stringify([type, pattern, items?.type, Object.keys(properties ?? {}), shape])
    if (tried.has(like)) continue
    tried.add(like)
    const check = checkers.get(schema) ?? checker(schema)
    checkers.set(schema, check)
    const values = new Map<string, unknown>()
    const textOf = (length: number) => {
      const written = text(length)
      values.set(written, JSON.parse(written))
      return written
    }
    const times = growth((text) => check(text, values.get(text)), textOf)
    if (times > maxGrowth) slow.push(`${what}: ${times.toFixed(1)} times the time of smaller ones`)
  }
  t.ok(tried.size > 200, `${tried.size} kinds of bodies`)
  t.same(slow, [])
})
