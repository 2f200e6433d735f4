import { GenerateBody } from '@platen/shared/contracts/generation.ts'
import { CreateTemplateBody, UpdateTemplateBody } from '@platen/shared/contracts/template.ts'

/** A JSON body that is hard to parse, to check or to encode. */
export interface Body {
  what: string
  method: 'POST' | 'PATCH'
  path: string
  text: string
}

/** The parts of JSON Schema that the API's schemas use. */
interface Schema {
  properties?: object
  items?: object
}

interface Route {
  method: 'POST' | 'PATCH'
  path: string
  schema: Schema
  maxBytes: number
  /** Fields beside the hostile one, so that the rest of the body is valid. */
  base: Record<string, string>
  /** A field that may have any value. */
  open: string
}

const routes: Route[] = [
  {
    method: 'POST',
    path: '/v1/generate',
    schema: GenerateBody,
    maxBytes: 6 * 1024 * 1024,
    base: { html: '"x"', async: 'true' },
    open: 'data.rows',
  },
  {
    method: 'POST',
    path: '/v1/templates',
    schema: CreateTemplateBody,
    maxBytes: 1024 * 1024,
    base: { name: '"x"', html: '"x"' },
    open: 'sample_data.rows',
  },
  {
    method: 'PATCH',
    path: '/v1/templates/x',
    schema: UpdateTemplateBody,
    maxBytes: 1024 * 1024,
    base: {},
    open: 'sample_data.rows',
  },
]

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
  'many fields named by numbers': (bytes) => `{${list(bytes, 14, (at) => `"${at * 1000}":1`).slice(1, -1)}}`,
  'objects with a field each': (bytes) => list(bytes, 16, (at) => `{"f ${at}":1}`),
  'objects with other fields each': (bytes) => list(bytes, 28, (at) => `{"f ${at}":1,"g ${at}":2}`),
  'objects with the same fields': (bytes) => list(bytes, 38, (at) => `{"name":"n ${at}","sum":${at},"day":1}`),
  'deep arrays': (bytes) => list(bytes, 101, () => `${'['.repeat(50)}${']'.repeat(50)}`),
  'many fields named __proto__': (bytes) => list(bytes, 18, () => '{"\\u005fproto":1}'),
}

/** Parts of the largest body: a body with too many values for its size is refused early, a smaller one is handled. */
const sizes = [1, 1 / 2, 1 / 4, 1 / 8, 1 / 16]

/** For each field of each body: every shape, in several sizes. */
export function* bodies(): Generator<Body> {
  for (const { method, path, schema, maxBytes, base, open } of routes) {
    for (const field of ['', open, ...fieldsOf(schema)]) {
      for (const [shape, write] of Object.entries(shapes)) {
        for (const size of sizes) {
          const value = write(Math.floor(maxBytes * size) - 200)
          const what = `${field || 'the body'}: ${shape}, ${Math.round(value.length / 1024)} KiB`
          yield { what, method, path, text: field === '' ? value : nest(field, value, base) }
        }
      }
    }
  }
}

function fieldsOf({ properties = {}, items }: Schema, path: readonly string[] = []): string[] {
  const own = path.length > 0 ? [path.join('.')] : []
  const below = Object.entries(properties).flatMap(([name, schema]) => fieldsOf(schema, [...path, name]))
  return [...own, ...below, ...(items ? [[...path, '0'].join('.')] : [])]
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
