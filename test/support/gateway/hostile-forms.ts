/** A body that is no JSON, or many: hard to take apart, to check or to keep. */
export interface HostileForm {
  what: string
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

const routesOfForms: Record<string, { maxBytes: number; field: string }> = {
  '/v1/pdf/merge': { maxBytes: 6 * mib, field: 'request' },
  '/v1/pdf/rotate': { maxBytes: 6 * mib, field: 'request' },
}
/** On the port for Gotenberg's clients. */
const routesOfGotenberg: Record<string, { maxBytes: number; field: string }> = {
  '/forms/chromium/convert/html': { maxBytes: 32 * mib, field: 'cookies' },
  '/forms/chromium/convert/url': { maxBytes: 32 * mib, field: 'extraHttpHeaders' },
  '/forms/chromium/convert/markdown': { maxBytes: 32 * mib, field: 'downloadFrom' },
  '/forms/chromium/screenshot/html': { maxBytes: 32 * mib, field: 'failOnHttpStatusCodes' },
  '/forms/pdfengines/merge': { maxBytes: 32 * mib, field: 'metadata' },
  '/forms/pdfengines/bookmarks/write': { maxBytes: 32 * mib, field: 'bookmarks' },
}

function* formsOf(routes: typeof routesOfForms): Generator<HostileForm> {
  for (const [path, { maxBytes, field }] of Object.entries(routes)) {
    for (const [shape, write] of Object.entries(forms)) {
      const body = (bytes: number) => Buffer.from(write(bytes - 200, field) + end)
      yield { what: `POST ${path} ${field}: ${shape}`, path, type: formType, maxBytes, body }
    }
  }
}

export function* hostileForms(): Generator<HostileForm> {
  yield* formsOf(routesOfForms)
  for (const [shape, write] of Object.entries(lines)) {
    const body = (bytes: number) => Buffer.from(write(bytes))
    yield { what: `POST /v1/batches: ${shape}`, path: '/v1/batches', type: linesType, maxBytes: 16 * mib, body }
  }
}

/** Bodies for the port for Gotenberg's clients. */
export const hostileGotenbergForms = () => formsOf(routesOfGotenberg)
