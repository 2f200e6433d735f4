import { resolveRefs } from '../resolve-refs.ts'

/** JSON bodies that are hard to parse, to check or to encode: one field of one operation has a hostile value. */
export interface HostileBody {
  /** A description such as `POST /v1/generate options.fail_on: many different texts`. */
  what: string
  method: string
  path: string
  /** The content type. */
  type: string
  /** The schema of the body, and that of the field; `undefined` where the value is the body or the field is unknown. */
  schema: Schema
  fieldSchema: Schema | undefined
  /** The largest body that the operation accepts. */
  maxBytes: number
  /** The body with a value of about this size. */
  text(bytes: number): string
}

/** The parts of JSON Schema that the API's schemas use. */
export interface Schema {
  type?: string
  pattern?: string
  enum?: unknown[]
  required?: string[]
  properties?: Record<string, Schema>
  items?: Schema
}

interface Operation {
  requestBody?: { content: Record<string, { schema: Schema }> }
}

/** The parts of an OpenAPI document that bodies are made from. */
export interface OpenApi {
  paths: Record<string, Record<string, Operation>>
}

interface Route {
  method: string
  path: string
  type: string
  schema: Schema
  maxBytes: number
  /** Fields beside the hostile one, so that the rest of the body is valid. */
  base: Record<string, string>
}

const mib = 1024 * 1024
/** Others accept 1 MiB. */
const maxBytes: Record<string, number> = { '/v1/generate': 6 * mib }

/** Fields without which a valid body would wait, or be refused for another reason. */
const given: Record<string, Record<string, string>> = {
  '/v1/generate': { html: '"x"', async: 'true' },
}

/** Rules that the document states, and code checks instead of a validator. */
const stated = ['oneOf', 'dependentRequired', 'if', 'then']

function withoutStatedRules(schema: Schema): Schema {
  return JSON.parse(JSON.stringify(schema, (name, value) => (stated.includes(name) ? undefined : value)))
}

/** The routes with a body. */
function* routesOf(document: OpenApi): Generator<Route> {
  for (const [path, methods] of Object.entries(resolveRefs(document).paths)) {
    for (const [method, { requestBody }] of Object.entries(methods)) {
      const [type = '', { schema: described } = {}] =
        Object.entries(requestBody?.content ?? {}).find(([name]) => /\bjson$/.test(name)) ?? []
      if (!described) continue
      const schema = withoutStatedRules(described)
      const required = (schema.required ?? []).map((name) => [name, valid(schema.properties?.[name])])
      yield {
        method: method.toUpperCase(),
        path: pathOf(path),
        type,
        schema,
        maxBytes: maxBytes[path] ?? mib,
        base: { ...Object.fromEntries(required), ...given[path] },
      }
    }
  }
}

/** The URL of something that does not exist. */
export const pathOf = (path: string): string => path.replace(/\{\w+\}/g, 'x')

function valid({ type, enum: values, items }: Schema = {}): string {
  if (values) return JSON.stringify(values[0])
  if (type === 'array') return `[${valid(items)}]`
  return type === 'string' ? '"2026-01-31T08:00:00Z"' : '1'
}

/** Values of at most `bytes` bytes: long, wide, deep and many. */
const shapes: Record<string, (bytes: number) => string> = {
  'a long text': (bytes) => `"${'x'.repeat(bytes - 2)}"`,
  'a long text of spaces': (bytes) => `"${' '.repeat(bytes - 2)}"`,
  'a long text of escapes': (bytes) => `"${'\\u00e9'.repeat((bytes - 2) / 6)}"`,
  'a long text of emoji': (bytes) => `"${'😀'.repeat((bytes - 2) / 4)}"`,
  'a long number': (bytes) => '1'.repeat(bytes),
  'many small numbers': (bytes) => list(bytes, 2, () => '1'),
  'many long numbers': (bytes) => list(bytes, 24, (at) => `1.2345678901234567e-${at % 300}`),
  'many different texts': (bytes) => list(bytes, 12, (at) => `"t ${at}"`),
  'many empty objects': (bytes) => list(bytes, 3, () => '{}'),
  'many fields': (bytes) => `{${list(bytes, 14, (at) => `"f ${at}":1`).slice(1, -1)}}`,
  'a map of ids': (bytes) => `{${list(bytes, 32, (at) => `"customer_${idOf(at)}":1`).slice(1, -1)}}`,
  'many fields named by numbers': (bytes) => `{${list(bytes, 14, (at) => `"${at * 1000}":1`).slice(1, -1)}}`,
  'objects with a field each': (bytes) => list(bytes, 16, (at) => `{"f ${at}":1}`),
  'objects with other fields each': (bytes) => list(bytes, 28, (at) => `{"f ${at}":1,"g ${at}":2}`),
  'objects with the same fields': (bytes) => list(bytes, 38, (at) => `{"name":"n ${at}","sum":${at},"day":1}`),
  'deep arrays': (bytes) => list(bytes, 101, () => `${'['.repeat(50)}${']'.repeat(50)}`),
  'many fields named __proto__': (bytes) => list(bytes, 18, () => '{"\\u005fproto":1}'),
}

/** Bodies with every shape in each of their fields. */
export function* hostileBodies(document: OpenApi): Generator<HostileBody> {
  for (const { method, path, type, schema, maxBytes, base } of routesOf(document)) {
    const fields: Field[] = [{ name: '' }, { name: 'unknown' }, ...fieldsOf(schema)]
    for (const { name, schema: fieldSchema } of fields) {
      for (const [shape, write] of Object.entries(shapes)) {
        yield {
          what: `${method} ${path} ${name || 'the body'}: ${shape}`,
          method,
          path,
          type,
          schema,
          fieldSchema,
          maxBytes,
          text: (bytes) => (name === '' ? write(bytes) : nest(name, write(bytes), base)),
        }
      }
    }
  }
}

interface Field {
  name: string
  schema?: Schema
}

/** A field without a schema of its fields may have any: one of them is hostile. */
function fieldsOf(schema: Schema, path: readonly string[] = []): Field[] {
  const { type, properties, items } = schema
  const own = path.length > 0 ? [{ name: path.join('.'), schema }] : []
  const open = type === 'object' && properties === undefined ? { any: {} } : {}
  const below = Object.entries({ ...properties, ...open }).flatMap(([name, one]) => fieldsOf(one, [...path, name]))
  return [...own, ...below, ...(items ? fieldsOf(items, [...path, '0']) : [])]
}

function nest(field: string, value: string, base: Record<string, string>): string {
  const [first = '', ...rest] = field.split('.')
  const inner = rest.reduceRight((text, name) => (name === '0' ? `[${text}]` : `{"${name}":${text}}`), value)
  const fields = Object.entries({ ...base, [first]: inner })
  return `{${fields.map(([name, text]) => `"${name}":${text}`)}}`
}

function list(bytes: number, itemBytes: number, item: (at: number) => string): string {
  const items: string[] = []
  for (let at = 0, left = bytes - itemBytes; left > itemBytes; at++) {
    const text = item(at)
    items.push(text)
    left -= text.length + 1
  }
  return `[${items}]`
}

/** Ids in no order. */
const idOf = (at: number) => `${Math.imul(at, 0x9e3779b1) >>> 0}`.padStart(12, '0') + at
