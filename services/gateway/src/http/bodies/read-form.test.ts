import { Readable } from 'node:stream'
import { DomainError } from '@platen/domain/http/errors.ts'
import { fc } from '@platen/test-support/fast-check.ts'
import t from 'tap'
import { type FormLimits, readForm } from './read-form.ts'
import { type Arriving, receive } from './receive.ts'

const limits: FormLimits = { maxBytes: 2 ** 20, maxParts: 20, maxText: 1_024 }
const type = 'multipart/form-data; boundary=edge'

/** A body that arrives in pieces of these sizes, one after another. */
const inPieces = (bytes: Uint8Array, sizes: readonly number[]) =>
  Readable.from(
    (function* () {
      for (let at = 0, next = 0; at < bytes.length; next++) {
        const size = sizes[next % sizes.length] ?? 1
        yield Buffer.from(bytes.subarray(at, at + size))
        at += size
      }
    })(),
    { objectMode: false },
  )
const read = (text: string, sizes = [7], some: Partial<FormLimits> = {}) =>
  readForm(inPieces(Buffer.from(text), sizes), type, { ...limits, ...some })
const codeOf = (reading: Promise<unknown>) =>
  reading.then(
    () => 'read',
    (err) => (err instanceof DomainError ? err.code : err),
  )
const part = (head: string, content: string) => `--edge\r\nContent-Disposition: ${head}\r\n\r\n${content}\r\n`
const field = (name: string, content = 'x') => part(`form-data; name="${name}"`, content)
const end = '--edge--\r\n'

t.test('a form that another program has encoded is read as it was, however it arrives', async (t) => {
  const name = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => !/[\r\n\u2028\u2029\\]|%22/.test(text))
  const entry = fc.record({
    name,
    file: fc.option(name, { nil: undefined }),
    content: fc.uint8Array({ maxLength: 200 }),
  })
  const property = async (
    entries: { name: string; file: string | undefined; content: Uint8Array }[],
    sizes: number[],
  ) => {
    const form = new FormData()
    const expected = entries.map(({ name, file, content }) => {
      const bytes = file === undefined ? Buffer.from(Buffer.from(content).toString('latin1')) : Buffer.from(content)
      if (file === undefined) form.append(name, bytes.toString())
      else form.append(name, new File([bytes], file))
      return { field: name, fileName: file, bytes }
    })
    const encoded = new Response(form)
    const body = Buffer.from(await encoded.arrayBuffer())
    const parts = await readForm(inPieces(body, sizes), encoded.headers.get('content-type') ?? '', limits)
    // A form has the line ends of the web.
    const same = (bytes: Buffer) => bytes.toString('latin1').replace(/\r\n|\r|\n/g, '\n')
    t.equal(parts.length, expected.length)
    for (const [at, { field, fileName, bytes }] of parts.entries()) {
      const wanted = expected[at]
      if (field !== wanted?.field || fileName !== wanted.fileName || same(bytes) !== same(wanted.bytes)) return false
    }
    return true
  }
  const sizes = fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 4 })
  await fc.assert(fc.asyncProperty(fc.array(entry, { maxLength: 6 }), sizes, property))
})

t.test('a body that was broken anywhere is read or refused, and nothing else happens', async (t) => {
  const whole = Buffer.from(`${field('a')}${part('form-data; name="f"; filename="a.pdf"', 'bytes')}${end}`)
  const breaks = fc.record({
    at: fc.integer({ min: 0, max: whole.length - 1 }),
    bytes: fc.uint8Array({ maxLength: 12 }),
    skips: fc.integer({ min: 0, max: 40 }),
    size: fc.integer({ min: 1, max: 200 }),
  })
  const property = async ({
    at,
    bytes,
    skips,
    size,
  }: {
    at: number
    bytes: Uint8Array
    skips: number
    size: number
  }) => {
    const broken = Buffer.concat([whole.subarray(0, at), bytes, whole.subarray(at + skips)])
    const code = await codeOf(readForm(inPieces(broken, [size]), type, limits))
    return ['read', 'INVALID_REQUEST', 'PAYLOAD_TOO_LARGE'].includes(String(code))
  }
  await fc.assert(fc.asyncProperty(breaks, property), { numRuns: 500 })
  t.equal(await codeOf(read('')), 'INVALID_REQUEST')
  t.equal(await codeOf(readForm(inPieces(whole, [9]), 'multipart/form-data', limits)), 'UNSUPPORTED_MEDIA_TYPE')
})

t.test('what has ended other readers of forms is read or refused', async (t) => {
  const types: [advisory: string, type: string, code: string][] = [
    ['GHSA-wm7h-9275-46v2', 'multipart/form-data; boundary=', 'UNSUPPORTED_MEDIA_TYPE'],
    ['GHSA-2jv5-9r88-3w3p', `multipart/form-data; !="${'\\'.repeat(50_000)}`, 'UNSUPPORTED_MEDIA_TYPE'],
  ]
  for (const [advisory, one, code] of types) {
    t.equal(await codeOf(readForm(inPieces(Buffer.from(end), [9]), one, limits)), code, advisory)
  }
  const rows: [advisory: string, text: string, code: string][] = [
    ['GHSA-wm7h-9275-46v2', '--edge\r\n content-disposition: form-data; name="a"\r\n\r\nx\r\n--edge--\r\n', 'read'],
    ['GHSA-g5hg-p3ph-g8qg', field(''), 'INVALID_REQUEST'],
    ['GHSA-44fp-w29j-9vj5', `${field('a')}--edge`, 'INVALID_REQUEST'],
    ['GHSA-pp6c-gr5w-3c5g', `--edge\r\n${'X: y\r\n'.repeat(100_000)}`, 'INVALID_REQUEST'],
    ['GHSA-pp6c-gr5w-3c5g', `--edge\r\nX: ${'y'.repeat(500_000)}`, 'INVALID_REQUEST'],
    ['GHSA-mj87-hwqh-73pj', `${'\r\n'.repeat(100_000)}${field('a')}${end}`, 'INVALID_REQUEST'],
    ['GHSA-hpp2-2cr5-pf6g', field('a').repeat(1_000) + end, 'PAYLOAD_TOO_LARGE'],
  ]
  for (const [advisory, text, code] of rows) t.equal(await codeOf(read(text, [4_096])), code, advisory)
  const polluting = await read(`${field('__proto__')}${field('constructor[prototype][polluted]')}${end}`)
  t.same(
    polluting.map((one) => one.field),
    ['__proto__', 'constructor[prototype][polluted]'],
  )
  t.equal(Reflect.get({}, 'polluted'), undefined)
})

t.test('names of files are those that the sender meant', async (t) => {
  const nameOf = async (parameters: string) =>
    (await read(`${part(`form-data; name="f"; ${parameters}`, 'x')}${end}`))[0]?.fileName
  const names = {
    'filename="C:\\Temp\\a.pdf"': 'C:\\Temp\\a.pdf',
    'filename="a \\"b\\".pdf"': 'a "b".pdf',
    'filename="a %22b%22.pdf"': 'a "b".pdf',
    'filename=plain.pdf': 'plain.pdf',
    'filename=""': '',
    'filename="e.pdf"; filename*=UTF-8\'\'%c3%a9.pdf': 'é.pdf',
    'filename="é;x.pdf"': 'é;x.pdf',
  }
  for (const [parameters, name] of Object.entries(names)) t.equal(await nameOf(parameters), name, parameters)
  t.equal(await codeOf(nameOf("filename*=UTF-8''%c3")), 'INVALID_REQUEST')
  t.equal(await codeOf(nameOf("filename*=iso-8859-1''a.pdf")), 'INVALID_REQUEST')
  for (const malformed of ['filename="a\u2028.pdf"', 'filename="a.pdf', 'filename=a b.pdf', 'filename="a"b.pdf"'])
    t.equal(await codeOf(nameOf(malformed)), 'INVALID_REQUEST', encodeURI(malformed))
  const latin1 = Buffer.from(`${part('form-data; name="f"; filename="Müller.png"', 'x')}${end}`, 'latin1')
  await t.rejects(readForm(inPieces(latin1, [9]), type, limits), { code: 'INVALID_REQUEST', message: /is not UTF-8/ })
})

t.test('a part in Base64 is decoded, and one in another transfer encoding is refused', async (t) => {
  const encoded = (encoding: string, content: string) =>
    `--edge\r\nContent-Disposition: form-data; name="f"\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n${content}\r\n${end}`
  t.match(await read(encoded('base64', 'aGVsbG8=')), [{ bytes: Buffer.from('hello') }])
  t.match(await read(encoded('8bit', 'aGVsbG8=')), [{ bytes: Buffer.from('aGVsbG8=') }])
  t.equal(await codeOf(read(encoded('quoted-printable', 'a=3D'))), 'INVALID_REQUEST')
})

t.test(
  'what stands before the first boundary and after the last one is ignored, in one packet and in several',
  async (t) => {
    for (const before of ['', '\r\n', 'preamble\r\n']) {
      for (const size of [1, 5, 1_000])
        t.equal((await read(`${before}${field('a')}${end}after`, [size])).length, 1, `${size}`)
    }
    t.equal(await codeOf(read(`${'x'.repeat(9_000)}${field('a')}${end}`)), 'INVALID_REQUEST', 'a long preamble')
  },
)

t.test('each limit is kept as soon as it is passed', async (t) => {
  const refused = async (text: string, some: Partial<FormLimits> = {}) => {
    const body = inPieces(Buffer.from(text), [1_000])
    const code = await codeOf(readForm(body, type, { ...limits, ...some }))
    return { code, isRead: body.readableEnded }
  }
  const many = refused(`${Array(100_000).fill(field('a')).join('')}${end}`)
  t.strictSame(await many, { code: 'PAYLOAD_TOO_LARGE', isRead: false }, 'parts')
  const text = refused(`${field('a', 'x'.repeat(2_000))}${field('b', 'x'.repeat(100_000))}${end}`)
  t.strictSame(await text, { code: 'PAYLOAD_TOO_LARGE', isRead: false }, 'a text')
  const head = refused(`${field('a'.repeat(100_000))}${end}`)
  t.strictSame(await head, { code: 'INVALID_REQUEST', isRead: false }, 'a header')
  const bytes = refused(`${part('form-data; name="f"; filename="a"', 'x'.repeat(100_000))}${end}`, { maxBytes: 10_000 })
  t.strictSame(await bytes, { code: 'PAYLOAD_TOO_LARGE', isRead: false }, 'bytes')
})

t.test('a client that sends too slowly gives its place back, and one that works on it does not', async (t) => {
  const open = (bytes: number, length?: number): Arriving =>
    Object.assign(
      new Readable({
        read() {
          if (bytes > 0) this.push(Buffer.alloc(bytes))
          bytes = 0
        },
      }),
      { headers: length === undefined ? {} : { 'content-length': `${length}` } },
    )
  const tooLarge = () => {
    throw new Error('too large')
  }
  const received = async (body: Arriving, then = async () => {}, expectedBytes = 2 ** 20) => {
    for await (const _ of receive(body, { maxBytes: 2 ** 30, tooLarge, expectedBytes, graceMs: 30 })) await then()
  }
  t.equal(await codeOf(received(open(0, 30_000_000))), 'REQUEST_TIMEOUT', 'nothing')
  t.equal(await codeOf(received(open(5_000, 30_000_000))), 'REQUEST_TIMEOUT', 'little')
  t.equal(await codeOf(received(open(10))), 'REQUEST_TIMEOUT', 'of unknown length')
  t.equal(await codeOf(received(open(600_000))), 'REQUEST_TIMEOUT', 'much, and then nothing')
  const slowlyRead = Readable.from([Buffer.alloc(10), Buffer.alloc(10)]) as Arriving
  slowlyRead.headers = { 'content-length': '30000000' }
  const working = () => new Promise<void>((resolve) => setTimeout(resolve, 80))
  t.equal(await codeOf(received(slowlyRead, working)), 'read')
  await t.rejects(received(open(0, 2 ** 31)), /too large/, 'a length beyond the limit')
})
