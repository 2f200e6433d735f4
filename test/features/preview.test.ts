import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { decode } from 'fast-png'
import t from 'tap'
import { generate } from '../support/print.ts'
import { readPdf } from '../support/read-pdf.ts'
import { ownerOfSharedPlaten } from '../support/shared-platen.ts'
import { connectSubscriber } from '../support/subscriber.ts'

const platen = await ownerOfSharedPlaten()
const nats = await connectSubscriber(platen)
t.teardown(() => nats.close())

const preview = (body: object, headers = {}) => platen.request('/v1/preview', { body, headers })
const failure = async (body: object) => {
  const response = await preview(body)
  return { status: response.status, ...((await response.json()) as { error: { code: string; message: string } }) }
}
const textOf = async (response: Response) => {
  if (response.status !== 200) throw new Error(await response.text())
  return (await readPdf(await response.bytes())).map(({ text }) => text).join(' | ')
}
const template = (body: object) => platen.json('/v1/templates', { body })

await platen.json('/v1/partials', { body: { name: 'brand', html: 'Lindqvist {{year}}' } })
await template({
  name: 'Bill',
  html: '<h1>{{> brand}} Bill {{number}}</h1>',
  sample_data: { number: 1, year: 2026 },
  samples: { second: { number: 2, year: 2027 } },
  header_html: '<p style="font-size:12px">Header {{number}}</p>',
})

t.test('a stored template is printed with its sample data, a sample set or data', async (t) => {
  const first = await preview({ template: 'bill' })
  t.equal(first.headers.get('content-type'), 'application/pdf')
  t.equal(first.headers.get('x-preview-pages'), '1')
  t.equal(first.headers.get('x-preview-warnings'), '[]')
  t.match(await textOf(first), /Header 1.*Lindqvist 2026 Bill 1|Lindqvist 2026 Bill 1.*Header 1/)
  t.match(await textOf(await preview({ template: 'bill', sample: 'second' })), 'Lindqvist 2027 Bill 2')
  const missing = await preview({ template: 'bill', data: { number: 'ž' } })
  t.match(JSON.parse(missing.headers.get('x-preview-warnings') ?? ''), [
    { code: 'MISSING_VALUE', path: 'year', source: 'partial "brand"', line: 1, column: 13 },
  ])
  t.match(await textOf(missing), 'Bill ž')
  t.match(await failure({ template: 'bill', sample: 'third' }), {
    status: 400,
    error: { message: /sample must be second/ },
  })
})

t.test('an unsaved source is printed with the look of its template, and with partials', async (t) => {
  const text = await textOf(
    await preview({ template: 'bill', html: '<p>New {{> brand}} {{number}}</p>', sample: 'second' }),
  )
  t.match(text, 'New Lindqvist 2027 2')
  t.match(text, 'Header 2')
  t.match(
    await textOf(await preview({ html: 'Alone {{a}}', data: { a: 1 }, footer_html: '<b style="font-size:9px">F</b>' })),
    'Alone 1',
  )
  t.match(await failure({ html: '<p>\n  {{#if a}}' }), {
    status: 422,
    error: { code: 'TEMPLATE_SYNTAX_ERROR', details: { source: 'html', line: 2, column: Number } },
  })
  t.match(await failure({ html: '{{> nothing}}' }), {
    status: 422,
    error: { message: /there is no partial "nothing"/ },
  })
  await template({ name: 'Versions', html: 'one' })
  await platen.json('/v1/templates/versions', { method: 'PATCH', body: { html: 'two' } })
  t.match(await textOf(await preview({ template: 'versions', template_version: 1 })), 'one')
  t.match(await failure({ template: 'versions', template_version: 3 }), { status: 404 })
})

t.test('unsaved partials and translations replace the stored ones', async (t) => {
  const body = { template: 'bill', partials: { brand: 'Marlowe {{year}} {{> inner}}', inner: 'inside' } }
  t.match(await textOf(await preview(body)), 'Marlowe 2026 inside Bill 1')
  t.match(await textOf(await preview({ ...body, html: 'X {{> brand}}' })), 'X Marlowe 2026 inside')
  t.match(await textOf(await preview({ html: '{{> fresh}}', partials: { fresh: '{{> brand}}' } })), 'Lindqvist')
  t.match(await failure({ html: '{{> a}}', partials: { a: '{{> b}}', b: '{{> a}}' } }), { status: 422 })
  t.match(await failure({ html: '{{> a}}', partials: { a: '<p>\n{{#if}' } }), {
    status: 422,
    error: { details: { source: 'partial "a"', line: 2 } },
  })
  t.match(await failure({ html: 'a', partials: { 'not a name': '' } }), { status: 400 })
  const translations = { en: { hi: 'Hello' } }
  t.match(await textOf(await preview({ html: '{{t "hi"}}', translations })), 'Hello')
  await template({ name: 'Says', html: '{{t "hi"}}', translations: { en: { hi: 'Saved' } } })
  t.match(await textOf(await preview({ template: 'says', translations })), 'Hello')
  t.match(await textOf(await preview({ template: 'says', html: 'X {{t "hi"}}' })), 'X Saved')
})

t.test('data is checked with the schema of the template, also for an unsaved source', async (t) => {
  const data_schema = { type: 'object', properties: { n: { type: 'integer' } } }
  await template({ name: 'Checked', html: '{{n}}', data_schema, sample_data: { n: 1 } })
  for (const source of [{}, { html: 'new {{n}}' }]) {
    const refused = await failure({ template: 'checked', data: { n: 'x' }, ...source })
    t.match(refused, { status: 400, error: { code: 'VALIDATION_ERROR', message: /data\.n/ } })
    t.equal((await preview({ template: 'checked', ...source })).status, 200)
  }
})

t.test('a page is drawn as a picture of the printed PDF', async (t) => {
  const html =
    '<style>@page{size:100mm 50mm;margin:0}body{margin:0}div{height:50mm}</style><div style="background:#f00"></div><div style="background:#00f"></div>'
  const response = await preview({ html, format: 'png', page: 2, width: 300 })
  t.equal(response.headers.get('content-type'), 'image/png')
  t.equal(response.headers.get('x-preview-pages'), '2')
  const { width, height, channels, data } = decode(await response.bytes())
  // Chromium rounds the size of a page to whole points.
  t.equal(width, 300)
  t.ok(Math.abs(height - 150) <= 2, String(height))
  const at = (75 * width + 150) * channels
  t.same([...data.subarray(at, at + 3)], [0, 0, 255], 'blue')
  t.match(await failure({ html, format: 'png', page: 3 }), {
    status: 400,
    error: { message: /page must be at most 2/ },
  })
  const tall = {
    html: '<p>x',
    format: 'png',
    width: 4_000,
    options: { width: '5mm', height: '5000mm', margin: { top: 0, left: 0, right: 0, bottom: 0 } },
  }
  t.match(await failure(tall), { status: 422, error: { code: 'RENDER_LIMIT_EXCEEDED' } })
})

t.test('a client that asks for JSON as generated clients do, because errors have it, gets the file', async (t) => {
  const response = await preview({ html: '<p>' }, { accept: 'application/json' })
  t.equal(response.headers.get('content-type'), 'application/pdf')
})

t.test('with the media type of a preview in JSON the result has the warnings and the file', async (t) => {
  const response = await preview({ html: '<p>{{a}}' }, { accept: 'application/vnd.platen.preview+json' })
  t.equal(response.headers.get('content-type'), 'application/vnd.platen.preview+json; charset=utf-8')
  t.equal(response.headers.get('content-encoding'), null, 'a PDF is compressed already')
  const body = (await response.json()) as { content: string }
  const warnings = [{ code: 'MISSING_VALUE', path: 'a', source: 'html', line: 1, column: 6 }]
  t.match(body, { pages: 1, format: 'pdf', warnings, engine: { name: 'chromium' } })
  t.match(Buffer.from(body.content, 'base64').toString('latin1'), /^%PDF-/)
})

t.test('a large PDF arrives complete', async (t) => {
  // Noise, which cannot be compressed.
  const script =
    'const c=document.querySelector("canvas").getContext("2d"),i=c.createImageData(900,900);for(let k=0;k<i.data.length;k++)i.data[k]=k%4==3?255:Math.random()*256;c.putImageData(i,0,0)'
  const response = await preview({ html: `<canvas width=900 height=900></canvas><p>end</p><script>${script}</script>` })
  const bytes = await response.bytes()
  t.ok(bytes.length > 1_500_000, String(bytes.length))
  t.match((await readPdf(bytes)).at(-1)?.text, 'end')
})

t.test('a newer preview of a client ends an older one', async (t) => {
  const slow = { html: '<p>slow', options: { wait_for: { ms: 20_000 } } }
  const older = failure({ ...slow, client: 'editor' })
  const other = preview({ html: 'other', client: 'other' })
  t.match(await textOf(await other), 'other')
  t.match(await textOf(await preview({ html: 'newer', client: 'editor' })), 'newer')
  t.match(await older, {
    status: 409,
    error: { code: 'CONFLICT', message: 'A newer preview of this client has begun' },
  })
})

t.test('nothing is recorded', async (t) => {
  const events: string[] = []
  nats.subscribe('events.>', { callback: (_, { subject }) => events.push(subject) })
  await nats.flush()
  await generate(platen, { html: 'recorded' })
  const objects = async () => (await readdir(join(platen.dataDir, 'objects'), { recursive: true })).sort()
  const before = await objects()
  t.ok(before.length > 0)
  const generations = async () => (await platen.json<{ data: object[] }>('/v1/generations')).body.data
  for (const format of ['pdf', 'png']) t.equal((await preview({ template: 'bill', format })).status, 200)
  t.equal((await generations()).length, 1)
  // An event of a later change arrives after any of the previews.
  await template({ name: 'After', html: 'x' })
  const { body } = await platen.json<{ data: { id: string }[] }>('/v1/templates?limit=1')
  while (!events.includes(`events.template.created.${body.data[0]?.id}`))
    await new Promise((done) => setTimeout(done, 10))
  const others = events.filter((subject) => !subject.startsWith('events.generation.'))
  t.same(others, [`events.template.created.${body.data[0]?.id}`])
  t.equal(new Set(events.map((subject) => subject.split('.').at(-1))).size, 2, 'one generation and one template')
  t.same(await objects(), before)
})

t.test('warnings have the first page that they are about', async (t) => {
  const pagesOf = async (body: object) => {
    const response = await preview(body)
    const warnings = JSON.parse(response.headers.get('x-preview-warnings') ?? '[]') as {
      path?: string
      page?: number
    }[]
    return warnings.map(({ path, page }) => [path, page])
  }
  const sheet = (inside: string) => `<section style="break-after: page">${inside}</section>`
  const html = [
    sheet('<p>One</p>'),
    sheet('{{#each rows}}<p>{{price}}</p>{{/each}}<ul>\n{{#each gone}}\n<li>x</li>\n{{/each}}\n</ul>'),
    sheet('<p>Three</p><img alt="{{alt}}"><style>.{{rule}} {}</style><p>&#x378;</p>{{> brand}}'),
  ].join('\n')
  const { year: _, ...data } = { year: 0, rows: [{ price: 1 }, {}] }
  t.same(await pagesOf({ html, data, header_html: '<b>{{number}}</b>' }), [
    [undefined, 3],
    ['rows[1].price', 2],
    ['gone', 2],
    ['alt', 3],
    ['rule', 3],
    ['year', undefined],
    ['number', 1],
  ])
  const rows = Array.from({ length: 60 }, (_, at) => (at < 55 ? { price: 'x' } : {}))
  t.same(await pagesOf({ html: '{{#each rows}}<p>{{price}}</p>{{/each}}', data: { rows } }), [['rows[55].price', 2]])
  t.same(await pagesOf({ html: `${sheet('a')}<p>{{~gone}} b</p>`, data }), [['gone', 2]])
  const { warnings } = (await platen.json<{ warnings: object[] }>('/v1/generate', { body: { html: '{{a}}', data } }))
    .body
  t.notOk('page' in (warnings[0] ?? {}), 'a generation is printed without destinations')
})
