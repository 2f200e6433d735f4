import { chromiumPaths } from '@platen/gateway/gotenberg/chromium/chromium-routes.ts'
import { pdfPaths } from '@platen/gateway/gotenberg/pdf/pdf-routes.ts'
import { type OpenApi, pathOf } from './hostile-bodies.ts'

/** A body that is no JSON, or many: hard to take apart, to check or to keep. */
export interface HostileForm {
  what: string
  port: 'api' | 'gotenberg'
  method: string
  path: string
  type: string
  /** The largest body that the route accepts, in bytes. */
  maxBytes: number
  /** A body of about this size. */
  body(bytes: number): Buffer
}

const mib = 2 ** 20
const formType = 'multipart/form-data; boundary=edge'
const linesType = 'application/x-ndjson'
const end = '--edge--\r\n'
const part = (parameters: string, content = '') =>
  `--edge\r\nContent-Disposition: form-data; ${parameters}\r\n\r\n${content}\r\n`
const times = (bytes: number, text: string) => text.repeat(Math.max(1, Math.floor(bytes / text.length)))
const file = (name: string, content: string) => part(`name="files"; filename="${name}"`, content)

/** Forms of at most `bytes` bytes. `field`: a text that the route parses as JSON. */
const forms: Record<string, (bytes: number, field: string) => string> = {
  'many files': (bytes) => times(bytes, file('a', '')),
  'many texts': (bytes, field) => times(bytes, part(`name="${field}"`, '1')),
  'many different names': (bytes) =>
    Array.from({ length: Math.floor(bytes / 70) }, (_, at) => part(`name="f${at}"`)).join(''),
  'a long text': (bytes, field) => part(`name="${field}"`, 'x'.repeat(bytes)),
  'a text of many lists': (bytes, field) => part(`name="${field}"`, `[${times(bytes, '[],')}[]]`),
  'a text of many lists, as long as a text may be': (bytes, field) =>
    part(`name="${field}"`, `[${times(Math.min(bytes, 65_000), '[],')}[]]`),
  'a deep text': (bytes, field) => part(`name="${field}"`, times(bytes, '[')),
  'a long name': (bytes) => part(`name="${'n'.repeat(bytes)}"`),
  'a header of many parameters': (bytes) => part(times(bytes, 'a=b; ')),
  'a header of quotes': (bytes) => part(`name="${times(bytes, '\\"')}`),
  'a header of spaces': () => part(`name="a"${' '.repeat(8_000)}x`),
  'line ends': (bytes) => times(bytes, '\r\n'),
  'boundaries that are none': (bytes) => file('a', times(bytes, '\r\n--edg')),
  'a long file': (bytes) => file('a.pdf', 'x'.repeat(bytes)),
}

const item = (data: string) => `{"html":"x","data":${data}}\n`
const lines: Record<string, (bytes: number) => string> = {
  'many lines': (bytes) => times(bytes, '{"html":"x"}\n'),
  'empty lines': (bytes) => times(bytes, '\n'),
  'lines of many fields': (bytes) => {
    const fields = Array.from({ length: 65_000 }, (_, at) => `"f${at}":1`)
    const line = item(`{${fields.join().slice(0, Math.min(bytes, 900_000) - 40)}`.replace(/,[^,]*$/, '}'))
    return times(bytes, line)
  },
  'lines of many empty lists': (bytes) => times(bytes, item(`{"a":[${times(Math.min(bytes, 900_000), '[],')}[]]}`)),
  'a line without end': (bytes) => 'x'.repeat(bytes),
  'lines of many unknown fields': (bytes) =>
    times(bytes, `{"html":"x",${Array.from({ length: 5_000 }, (_, at) => `"g${at}":1`)}}\n`),
}

/** By their content types. */
const files: Record<string, Record<string, (bytes: number) => string>> = {
  'application/octet-stream': { zeros: (bytes) => '\0'.repeat(bytes), spaces: (bytes) => ' '.repeat(bytes) },
  'image/svg+xml': {
    tags: (bytes) => times(bytes, '<svg><g>'),
    pictures: (bytes) => `<svg>${times(bytes, '<image href="a"/>')}`,
  },
  'text/javascript': {
    imports: (bytes) => times(bytes, 'import "./a";'),
    'different imports': (bytes) => Array.from({ length: bytes / 24 }, (_, at) => `import "./${at}";`).join(''),
  },
  'text/css': { rules: (bytes) => times(bytes, '@import url(a);a{b:url(c)}') },
}

const jsonFields: Record<string, string> = {
  '/forms/chromium/convert/html': 'cookies',
  '/forms/chromium/convert/url': 'extraHttpHeaders',
  '/forms/chromium/screenshot/html': 'failOnHttpStatusCodes',
  '/forms/pdfengines/merge': 'metadata',
  '/forms/pdfengines/bookmarks/write': 'bookmarks',
}

const maxAsset = (type: string) => (type === 'text/css' ? 2 * mib : 5 * mib)

/** Those of /v1/pdf take a form, too. */
const pathsOfForms = ({ paths }: OpenApi) => Object.keys(paths).filter((path) => path.startsWith('/v1/pdf/'))
const typesOf = ({ requestBody }: { requestBody?: { content: object } }) => Object.keys(requestBody?.content ?? {})

export function* hostileForms(document: OpenApi): Generator<HostileForm> {
  for (const path of pathsOfForms(document))
    yield* shaped({ port: 'api', method: 'POST', path, type: formType, maxBytes: 6 * mib }, forms, 'request')
  for (const path of [...chromiumPaths, ...pdfPaths]) {
    const route = { port: 'gotenberg', method: 'POST', path, type: formType, maxBytes: 32 * mib } as const
    yield* shaped(route, forms, jsonFields[path] ?? 'downloadFrom')
  }
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [name, operation] of Object.entries(methods)) {
      const route = { port: 'api', method: name.toUpperCase(), path: pathOf(path) } as const
      for (const type of typesOf(operation)) {
        if (type === linesType) yield* shaped({ ...route, type, maxBytes: 16 * mib }, lines)
        if (type !== 'application/octet-stream') continue
        for (const [type, shapes] of Object.entries(files))
          yield* shaped({ ...route, type, maxBytes: maxAsset(type) }, shapes)
      }
    }
  }
}

function* shaped(
  route: Omit<HostileForm, 'what' | 'body'>,
  shapes: Record<string, (bytes: number, field: string) => string>,
  field = '',
): Generator<HostileForm> {
  for (const [shape, write] of Object.entries(shapes)) {
    const body = (bytes: number) => Buffer.from(write(bytes - 200, field) + (route.type === formType ? end : ''))
    yield { ...route, what: `${route.method} ${route.path} ${field}: ${shape}`, body }
  }
}
