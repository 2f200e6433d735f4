import { Readable } from 'node:stream'
import t from 'tap'
import { Refused } from '../answers/refused.ts'
import { fillMarkdown } from '../chromium/fill-markdown.ts'
import { Markdown } from '../chromium/markdown.ts'
import { parseFlags } from '../flags.ts'
import { Form } from './form.ts'
import { parseBool, parseDurationMs, parseInches, parseJson } from './parse-values.ts'
import { fileName, readForm } from './read-form.ts'

const markdown = new Markdown()
t.teardown(() => markdown[Symbol.asyncDispose]())
const convert = (texts: string[]) => markdown.convert({ owner: 'own_1', key: 'key_1' }, texts)

const failing = (read: () => unknown) => {
  try {
    return read()
  } catch (err) {
    return err instanceof Error ? err.message : err
  }
}

t.test('values are read as Gotenberg reads them, and refused in its words', async (t) => {
  t.same(['1', 'T', 'true', '0', 'False'].map(parseBool), [true, true, true, false, false])
  t.equal(
    failing(() => parseBool('foo')),
    'strconv.ParseBool: parsing "foo": invalid syntax',
  )
  t.same(['2.5s', '1m1s', '0', '-1.5h', '300ms'].map(parseDurationMs), [2_500, 61_000, 0, -5_400_000, 300])
  for (const text of ['foo', '1', '1s x', 's'])
    t.match(
      failing(() => parseDurationMs(text)),
      /^time: invalid duration/,
    )
  t.same(
    ['1', '25.4mm', '96px', '2.54cm', '72pt', '6pc', '1in'].map((text) => Math.round(parseInches(text) * 1e6)),
    Array(7).fill(1e6),
  )
  t.equal(
    failing(() => parseJson('foo')),
    "invalid character 'o' in literal false (expecting 'a')",
  )
  t.equal(
    failing(() => parseJson('bar')),
    "invalid character 'b' looking for beginning of value",
  )
  t.equal(
    failing(() => parseJson('')),
    'unexpected end of JSON input',
  )
})

t.test('all problems of a form are told at once, in the order in which they are found', async (t) => {
  const form = new Form(new Map([['a', ['foo']]]), [])
  form.bool('a', false)
  form.require('b')
  form.requiredFile('index.html')
  const problem = `form field 'a' is invalid (got 'foo', resulting to strconv.ParseBool: parsing "foo": invalid syntax)`
  const message = `Invalid form data: ${problem}\nform field 'b' is required\nform file 'index.html' is required`
  t.throws(() => form.finish(), { status: 400, message })
})

t.test('a field that no route reads is refused by its name', async (t) => {
  const form = new Form(
    new Map([
      ['a', ['1']],
      ['B', ['2']],
    ]),
    [],
  )
  form.text('a')
  t.throws(() => form.finish(), { message: "Invalid form data: form field 'B' is not supported" })
})

t.test('long values and many parts are refused in linear time', async (t) => {
  const digits = '1'.repeat(1_000_000)
  const start = process.cpuUsage()
  t.match(
    failing(() => parseInches(`${digits}x`)),
    /^strconv.ParseFloat/,
  )
  t.match(
    failing(() => parseDurationMs(`${digits}x`)),
    /^time: invalid duration/,
  )
  await t.rejects(
    fillMarkdown('{'.repeat(5_000_000), [], convert).then(() => Promise.reject(new Error('no call'))),
    /no call/,
  )
  const { user } = process.cpuUsage(start)
  t.ok(user < 20_000_000, `${user} µs: some minutes in quadratic time`)
  const body = new FormData()
  for (let at = 0; at <= 1_000; at++) body.append('a', '1')
  const encoded = new Response(body)
  const type = encoded.headers.get('content-type') ?? ''
  t.match(await readForm(Readable.from([Buffer.from(await encoded.arrayBuffer())]), type).catch((err) => err), {
    status: 413,
  })
})

t.test('Markdown fills its places, and a file in many places has a bound', async (t) => {
  const file = { field: 'files', name: 'a.md', bytes: Buffer.from('# Title') }
  t.match(await fillMarkdown('<p>{{ toHTML "a.md" }}</p>', [file], convert), /<h1>Title<\/h1>/)
  t.match(await fillMarkdown('{{ other }}', [file], convert).catch((err) => err), { status: 400 })
  const large = { ...file, bytes: Buffer.from('x'.repeat(1_000_000)) }
  t.match(await fillMarkdown('{{ toHTML "a.md" }}'.repeat(20), [large], convert).catch((err) => err), { status: 413 })
})

t.test('Markdown that is nested too deeply or takes too long is refused, and the next one is converted', async (t) => {
  const deep = Array.from({ length: 3_000 }, (_, level) => `${'  '.repeat(level)}- x`).join('\n')
  t.match(await convert([deep]).catch((err) => err), { status: 400, message: /nested too deeply/ })
  t.match(await convert(['> '.repeat(400_000)]).catch((err) => err), { status: 400 })
  t.match(await convert(['# Title']), [/<h1>Title/])
})

t.test('files are sorted by the numbers in their names, and have no folders', async (t) => {
  const body = new FormData()
  for (const name of ['page_10.pdf', 'a/page_9.PDF', '..\\page_2.pdf']) body.append('files', new File(['x'], name))
  body.append('embeds', new File(['x'], 'page_1.pdf'))
  const encoded = new Response(body)
  const type = encoded.headers.get('content-type') ?? ''
  const form = await readForm(Readable.from([Buffer.from(await encoded.arrayBuffer())]), type)
  t.same(
    form.inputs('.pdf').map(({ name }) => name),
    ['page_2.pdf', 'page_9.PDF', 'page_10.pdf'],
  )
  t.equal(fileName('C:\\Windows\\Temp\\foo\n'), 'foo')
  t.equal(fileName('ž'.repeat(127)).length, 127)
  t.throws(() => fileName('ž'.repeat(128)), { status: 400, message: /more than 255 bytes/ })
})

t.test('a body of another type is answered with 415, and a malformed one with 400', async (t) => {
  const status = (body: string, type: string | undefined) =>
    readForm(Readable.from([Buffer.from(body)]), type).then(
      () => 200,
      (err) => (err instanceof Refused ? err.status : err),
    )
  t.equal(await status('{}', 'application/json'), 415)
  t.equal(await status('', undefined), 415)
  t.equal(await status('', 'multipart/form-data'), 415)
  t.equal(await status('no form', 'multipart/form-data; boundary=x'), 400)
})

t.test('flags are those of Gotenberg, each once', async (t) => {
  const flags = parseFlags('--api-root-path=/foo --chromium-disable-routes --prometheus-namespace=x')
  t.match(flags, { rootPath: '/foo/', chromiumRoutes: false, pdfRoutes: true, metrics: { namespace: 'x' } })
  t.equal(parseFlags('--prometheus-disable-collect')?.metrics, undefined)
  t.equal(parseFlags('')?.webhooks, 'async')
  t.equal(parseFlags('--webhook-enable-sync-mode')?.webhooks, 'sync')
  t.equal(parseFlags('--webhook-enable-sync-mode --webhook-disable')?.webhooks, 'off')
  for (const text of ['--api-port=1', '-x', '--webhook-disable --webhook-disable', '--api-root-path=foo']) {
    t.equal(parseFlags(text), undefined, text)
  }
})
