import type { Generation } from '@platen/domain/generation/generation.ts'
import t from 'tap'
import { readJson } from '../support/platen.ts'
import { generate } from '../support/print.ts'
import { readPdf } from '../support/read-pdf.ts'
import { ownerOfSharedPlaten } from '../support/shared-platen.ts'

// What an author wrote and no document can show is refused when it is saved, or a warning names it.

const platen = await ownerOfSharedPlaten()

interface Failure {
  error: { code: string; message: string; details?: Record<string, unknown> }
}
const save = (body: object) => platen.json<Failure & { id: string }>('/v1/templates', { body: { name: 'T', ...body } })
const post = (body: object) => platen.json<Generation & Failure>('/v1/generate', { body })
const put = async (name: string, content: string) => {
  const headers = { authorization: `Bearer ${platen.apiKey}` }
  const body = new Uint8Array(Buffer.from(content))
  return readJson<{ warnings?: { code: string; message: string }[] }>(
    await fetch(`${platen.url}/v1/assets/${name}`, { method: 'PUT', headers, body }),
  )
}

t.test('a picture that a header cannot load is refused when it is saved', async (t) => {
  for (const src of ['http://example.com/x.png', 'logo.png', '//example.com/x.png']) {
    const { status, body } = await save({ html: 'x', header_html: `<b>1</b>\n<img src="${src}">` })
    t.match({ status, ...body }, { status: 422, error: { code: 'TEMPLATE_RENDER_ERROR', details: { line: 2 } } }, src)
    t.match(body.error.message, /header_html, line 2.*asset:/)
  }
  const style = '<p style="background: url(logo.png)">x</p>'
  t.match(await save({ html: 'x', footer_html: style }), {
    status: 422,
    body: { error: { message: /footer_html, line 1/ } },
  })
  const fine =
    '<a href="https://example.com">x</a>{{! <img src="a.png"> }}<img src="{{logo}}"><img src="data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=">'
  t.match(await save({ html: 'x', header_html: fine }), { status: 201 })
})

t.test(
  'the pages of an element of a header are checked when a template is saved, and its assets and partials are printed',
  async (t) => {
    const header = (pages: string) =>
      `<b>1</b>\n<div data-platen-pages="${pages}">{{> running}}<img src="asset:dot.svg"></div>`
    await put(
      'dot.svg',
      '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><path fill="#ff0000" d="M0 0h9v9z"/></svg>',
    )
    t.match(await platen.json('/v1/partials', { body: { name: 'running', html: 'RUNNING {{n}}' } }), { status: 201 })
    t.match(await save({ html: 'x', header_html: header('frist') }), {
      status: 422,
      body: {
        error: {
          code: 'TEMPLATE_RENDER_ERROR',
          message: /^header_html, line 2.*data-platen-pages="frist"/,
          details: { line: 2 },
        },
      },
    })
    const html = 'one<p style="break-before: page">two'
    const { status, body } = await save({ html, header_html: header('{{pages}}') })
    t.equal(status, 201)
    const { pdf, generation } = await generate(platen, { template: body.id, data: { pages: 'not first', n: 7 } })
    t.notOk(generation.warnings?.length)
    const [first, second] = await readPdf(pdf)
    t.match(first, { text: 'one 1' })
    t.notOk(first?.fills.includes('#ff0000'))
    t.match(second, { text: 'two 1 RUNNING 7' })
    t.ok(second?.fills.includes('#ff0000'))
  },
)

t.test('a picture that the header of a document cannot load is a warning, and counts for fail_on', async (t) => {
  const header_html = '<img src="http://example.com/x.png">'
  const { generation } = await generate(platen, {
    html: 'x',
    options: { header_html, footer_html: '<img src=logo.png>' },
  })
  t.match(generation.warnings, [
    { code: 'RESOURCE_FAILED', element: 'header_html', message: /^http:\/\/example\.com\/x\.png: .*asset:/ },
    { code: 'RESOURCE_FAILED', element: 'footer_html', message: /^logo\.png: / },
  ])
  const failed = await post({ html: 'x', options: { header_html, fail_on: ['RESOURCE_FAILED'] } })
  t.match(failed, { status: 422, body: { error: { code: 'RENDER_FAILED' } } })
  const { generation: filled } = await generate(platen, {
    html: 'x',
    data: { logo: 'https://example.com/logo.png' },
    options: { header_html: '<img src="{{logo}}">' },
  })
  t.match(filled.warnings, [{ element: 'header_html', message: /logo\.png/ }])
})

t.test('style sheets that a header cannot load are refused when it is saved', async (t) => {
  for (const css of [
    '<link rel=stylesheet href="https://example.com/a.css">',
    '<link rel=stylesheet href="a.css">',
    '<style>@import "https://example.com/a.css";</style>',
    '<style>@font-face { font-family: F; src: url(data:font/woff2;base64,AA) }</style>',
  ]) {
    const { status, body } = await save({ html: 'x', header_html: `\n${css}` })
    t.match({ status, ...body }, { status: 422, error: { details: { line: 2, source: 'header_html' } } }, css)
  }
  await put('head.css', 'b { color: #f00 }')
  const sheet = '<link rel=stylesheet href="asset:head.css"><b>x</b>'
  t.match(await save({ html: 'x', header_html: sheet }), { status: 201 })
  const { generation } = await generate(platen, { html: 'x', options: { header_html: sheet } })
  t.same(generation.warnings, [])
})

t.test('what an SVG picture refers to is named when it is uploaded, and when it is printed', async (t) => {
  const svg = (inner: string) => `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">${inner}</svg>`
  const outside = svg('<image href="http://example.com/in.png" width="9" height="9"/>')
  const stored = await put('outer.svg', outside)
  t.match(stored.body.warnings, [
    { code: 'RESOURCE_FAILED', message: /outer\.svg refers to http:\/\/example\.com\/in\.png/ },
  ])
  const fonts = svg('<style>@font-face { font-family: F; src: url(asset:f.woff2) }</style><text>x</text>')
  t.match((await put('fonts.svg', fonts)).body.warnings, [{ message: /asset:f\.woff2/ }])
  t.same((await put('plain.svg', svg('<use href="#a"/><a href="https://example.com"/>'))).body.warnings ?? [], [])

  const { generation } = await generate(platen, {
    html: '<style>p { background: url(asset:fonts.svg) }</style><p>x<img src="asset:outer.svg"><img src="asset:plain.svg">',
  })
  t.match(
    generation.warnings
      ?.map(({ code, message }) => ({ code, message }))
      .sort((a, b) => (a.message < b.message ? -1 : 1)),
    [
      { code: 'RESOURCE_FAILED', message: /asset:fonts\.svg: it refers to asset:f\.woff2/ },
      { code: 'RESOURCE_FAILED', message: /asset:outer\.svg: it refers to http:\/\/example\.com\/in\.png/ },
    ],
  )
  for (const url of [
    `data:image/svg+xml;base64,${Buffer.from(outside).toString('base64')}`,
    `data:image/svg+xml,${encodeURIComponent(outside)}`,
  ]) {
    const { generation } = await generate(platen, { html: `<img src="${url}">` })
    t.match(generation.warnings, [
      { code: 'RESOURCE_FAILED', message: /^data:image\/svg\+xml.*: it refers to http:\/\/example\.com\/in\.png/ },
    ])
    const header_html = `<img src="${url}">`
    const inHeader = await generate(platen, { html: 'x', options: { header_html } })
    t.match(inHeader.generation.warnings, [{ element: 'header_html', message: /it refers to http/ }])
  }
  const failed = await post({ html: '<img src="asset:outer.svg">', options: { fail_on: ['RESOURCE_FAILED'] } })
  t.match(failed, { status: 422, body: { error: { code: 'RENDER_FAILED' } } })
})

t.test('a raw block prints its content, and one of another name is refused', async (t) => {
  const { pdf } = await generate(platen, { html: 'A{{{{raw}}}}<b>{{ok}}</b>{{{{/raw}}}}B', data: {} })
  t.equal((await readPdf(pdf))[0]?.text, 'A {{ok}} B')
  t.match(await post({ html: 'A\n{{{{verbatim}}}}{{x}}{{{{/verbatim}}}}', data: {} }), {
    status: 422,
    body: { error: { message: /line 2, column 1: there is no raw block "verbatim".*\{\{\{\{raw\}\}\}\}/ } },
  })
  const named = await generate(platen, { html: '{{raw}}{{#raw}}!{{/raw}}', data: { raw: 'field' } })
  t.equal((await readPdf(named.pdf))[0]?.text, 'field!')
})

t.test('an object or a list that is printed is a warning, and an error with strict', async (t) => {
  const html = '<p>{{customer}}</p>\n{{#each items}}{{this}}{{{price}}}{{/each}}{{lookup this "customer"}}{{tags}}'
  const data = { customer: { name: 'A' }, items: [{ price: { net: 1 } }, { price: 2 }], tags: ['a', 'b'] }
  const { generation } = await generate(platen, { html, data })
  t.match(generation.warnings, [
    {
      code: 'OBJECT_PRINTED',
      path: 'customer',
      message: /^customer is an object, printed as \[object Object\]: html, line 1/,
    },
    { code: 'OBJECT_PRINTED', path: 'items[0]', message: /and 1 more like it/ },
    { code: 'OBJECT_PRINTED', path: 'items[0].price', message: /line 2/ },
    { code: 'OBJECT_PRINTED', path: 'tags', message: /^tags is a list/ },
  ])
  const strict = await post({ html: '\n{{tags}}', data, options: { strict: true } })
  t.match(strict, {
    status: 422,
    body: { error: { code: 'TEMPLATE_RENDER_ERROR', message: /html, line 2.*tags is a list/ } },
  })
  const failed = await post({ html, data, options: { fail_on: ['OBJECT_PRINTED'] } })
  t.match(failed, { status: 422, body: { error: { code: 'RENDER_FAILED' } } })
})

t.test('messages say where, and what to write', async (t) => {
  const message = async (html: string, data: object = {}) => (await post({ html, data })).body.error?.message
  const inline = '{{#*inline "a"}}x{{/inline}}'
  t.match(
    await message(`${inline}\n{{> (concat "labels-" lang)}}`, { lang: 'fr' }),
    /html, line 2, column 1: there is no partial "labels-fr"/,
  )
  const fallback = `${inline}{{#> (concat "labels-" lang)}}fallback{{/concat}}`
  t.match(await generate(platen, { html: fallback, data: { lang: 'fr' } }).then(({ pdf }) => readPdf(pdf)), [
    { text: 'fallback' },
  ])
  t.match(
    await message(`${inline}{{#> (concat "a" b)}}{{/wrong}}`),
    /\{\{#> \(concat …\)\}\} is closed by \{\{\/concat\}\}/,
  )
  t.match(await message('{{formatDate d "dd.mm.yyyy"}}', { d: '2026-01-31' }), /mm is the minutes.*dd\.MM\.yyyy/)
  t.match(await save({ html: '{{formatDate d "dd.mm.yyyy"}}' }), {
    status: 422,
    body: { error: { message: /mm is the minutes/ } },
  })
  const { generation } = await generate(platen, { html: '{{json}}', data: {} })
  t.match(generation.warnings, [
    { code: 'MISSING_VALUE', message: /json is not in the data; to call the helper, write \{\{json value/ },
  ])
  for (const [name, meant] of Object.entries({
    currentDate: 'now',
    asset: 'asset:',
    img: 'asset:',
    first: '\\.\\[0\\]',
    inc: 'add',
  })) {
    t.match(await message(`{{${name} x}}`), new RegExp(`did you mean .*${meant}`), name)
  }
  const headers = { authorization: `Bearer ${platen.apiKey}`, 'content-type': 'application/json' }
  const proto = await fetch(`${platen.url}/v1/generate`, {
    method: 'POST',
    headers,
    body: '{"html":"x","data":{"a":[{"__proto__":1}]}}',
  })
  t.match(await proto.json(), { error: { code: 'INVALID_JSON', message: /__proto__.*data\.a\[0\]/ } })
})

t.test('all problems of a schema and of data are reported, with the words that are not checked', async (t) => {
  const data_schema = {
    type: 'object',
    propertys: {},
    properties: { iban: { type: 'string', format: 'iban', nullable: true }, propertys: { 'x-note': 1 } },
  }
  const refused = await save({ html: 'x', data_schema })
  t.equal(refused.status, 400)
  t.match(refused.body.error.details, [
    { path: 'data_schema.propertys', message: /not a keyword.*did you mean properties/ },
    { path: 'data_schema.properties.iban.format', message: /iban is not a format.*email/ },
    { path: 'data_schema.properties.iban.nullable', message: /not a keyword.*"null"/ },
  ])
  const wrong = { required: ['a', 'b'], properties: { c: { type: 'number' } } }
  t.equal((await save({ name: 'Checked', html: 'x', data_schema: wrong })).status, 201)
  const { status, body } = await post({ template: 'checked', data: { c: 'x' } })
  t.equal(status, 400)
  t.match(body.error.details, [{ path: 'data.a' }, { path: 'data.b' }, { path: 'data.c', message: 'must be a number' }])
})

t.test(
  'sums that are carried forward: checked when a template is saved, and printed from its version and in a preview',
  async (t) => {
    const html = '{{#each lines}}<p data-platen-amount="{{this}}" style="break-before: page">row {{this}}</p>{{/each}}'
    const footer = (carry: string) =>
      `<p data-platen-carry="${carry}" data-platen-format="{{currency}}">so far <b class="subtotal"></b></p>`
    t.match(await save({ html, footer_html: footer('carry') }), {
      status: 422,
      body: {
        error: { code: 'TEMPLATE_RENDER_ERROR', message: /data-platen-carry="carry" must be "brought" or "carried"/ },
      },
    })
    const { body } = await save({ html, footer_html: footer('carried'), options: { locale: 'de-DE' } })
    const data = { lines: [1000.1, 0.2, 5], currency: 'EUR' }
    const { pdf, generation } = await generate(platen, { template: body.id, data })
    t.notOk(generation.warnings?.length)
    const expected = ['row 1000.1 so far 1.000,10 €', 'row 0.2 so far 1.000,30 €', 'row 5']
    t.strictSame(
      (await readPdf(pdf)).map(({ text }) => text.replace(/\s/g, ' ')),
      expected,
    )
    const preview = await platen.request('/v1/preview', { body: { template: body.id, data } })
    t.strictSame(
      (await readPdf(await preview.bytes())).map(({ text }) => text.replace(/\s/g, ' ')),
      expected,
    )
  },
)
