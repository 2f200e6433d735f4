import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Template } from '@platen/domain/template/template.ts'
import t, { type Test } from 'tap'
import { generate, print } from '../support/print.ts'
import { type ReadPage, readPdf } from '../support/read-pdf.ts'
import { ownerOfSharedPlaten } from '../support/shared-platen.ts'

const platen = await ownerOfSharedPlaten()

const printed = (html: string, options: object = {}) => print(platen, { html, options })
const filled = async (html: string, data: object) => (await print(platen, { html, data }))[0]?.text
const post = (body: object) => platen.json('/v1/generate', { body })

/** A body without a margin: the content begins in the corner of the printed area. */
const corner = (content: string) => `<style>body { margin: 0; font: 10pt sans-serif }</style>${content}`
const pages = (count: number) =>
  corner(Array.from({ length: count }, (_, at) => `<p style="break-after: page">Sheet ${at + 1}</p>`).join('')).replace(
    /(.*)break-after: page/,
    '$1',
  )
const texts = (read: ReadPage[]) => read.map(({ text }) => text)

function near(t: Test, found: number | undefined, wanted: number, what: string) {
  t.ok(Math.abs((found ?? Number.NaN) - wanted) <= 0.6, `${what}: ${found}, wanted ${wanted}`)
}

t.test('a synchronous request answers 200 with a completed generation', async (t) => {
  const { generation, pdf, headers } = await generate(platen, { html: '<h1>Hello</h1>' })
  t.match(generation.id, /^pdf_[0-9a-z]{26}$/)
  t.equal(generation.status, 'completed')
  t.match(headers.get('content-type'), /^application\/json/)
  t.equal(generation.size, pdf.byteLength)
  t.equal(generation.pages, 1)
  t.ok(Number.isInteger(generation.duration_ms) && generation.duration_ms > 0)
  t.equal(Buffer.from(pdf.subarray(0, 5)).toString(), '%PDF-')
  t.strictSame(texts(await readPdf(pdf)), ['Hello'])
  for (const field of ['poll_url', 'error', 'template']) t.notHas(generation, field)
  const { status, body } = await platen.json<typeof generation>(`/v1/generations/${generation.id}`)
  t.equal(status, 200)
  t.strictSame({ ...body, url: '' }, { ...generation, url: '' })
})

t.test('Accept: application/pdf answers the PDF itself', async (t) => {
  const request = (accept: string) =>
    platen.request('/v1/generate', { body: { html: '<p>Bytes' }, headers: { accept } })
  const response = await request('application/pdf')
  t.equal(response.status, 200)
  t.equal(response.headers.get('content-type'), 'application/pdf')
  t.match(response.headers.get('content-disposition'), /filename="?pdf_[0-9a-z]{26}\.pdf/)
  const pdf = await response.bytes()
  t.equal(response.headers.get('content-length'), String(pdf.byteLength))
  t.strictSame(texts(await readPdf(pdf)), ['Bytes'])
  for (const accept of ['*/*', 'application/json', 'application/json, application/pdf;q=0.5', 'text/html']) {
    const json = await request(accept)
    t.match(json.headers.get('content-type'), /^application\/json/, accept)
    await json.body?.cancel()
  }
  const failed = await platen.request('/v1/generate', {
    body: { html: '{{#if}}', data: {} },
    headers: { accept: 'application/pdf' },
  })
  t.match(failed.headers.get('content-type'), /^application\/json/, 'an error is JSON')
  t.match(await failed.json(), { error: { code: 'TEMPLATE_SYNTAX_ERROR' } })
})

t.test('format and landscape set the paper size', async (t) => {
  const sheetsMm = {
    A4: [210, 297],
    A3: [297, 420],
    A5: [148, 210],
    Letter: [215.9, 279.4],
    Legal: [215.9, 355.6],
    Tabloid: [279.4, 431.8],
  }
  for (const [format, [width = 0, height = 0]] of Object.entries(sheetsMm)) {
    const [portrait] = await printed('x', { format })
    near(t, portrait?.widthMm, width, `${format} width`)
    near(t, portrait?.heightMm, height, `${format} height`)
    const [landscape] = await printed('x', { format, landscape: true })
    near(t, landscape?.widthMm, height, `${format} landscape width`)
    near(t, landscape?.heightMm, width, `${format} landscape height`)
  }
  const [unset] = await printed('x')
  near(t, unset?.widthMm, 210, 'A4 by default')
  near(t, unset?.heightMm, 297, 'portrait by default')
})

t.test('margins are millimetres, by default 20 above and below and 15 at the sides', async (t) => {
  const document = corner(
    '<p style="margin: 0">Left</p><p style="margin: 0; text-align: right">Right</p>' +
      '<p style="position: fixed; bottom: 0; margin: 0; line-height: 1">Bottom</p>',
  )
  const edges = async (margin?: object) => {
    const [page] = await printed(document, margin ? { margin } : {})
    const run = (text: string) => page?.runs.find((one) => one.text === text)
    return {
      left: run('Left')?.leftMm,
      top: run('Left')?.baselineMm,
      right: 210 - (run('Right')?.rightMm ?? Number.NaN),
      bottom: 297 - (run('Bottom')?.baselineMm ?? Number.NaN),
    }
  }
  const none = await edges({ top: 0, bottom: 0, left: 0, right: 0 })
  near(t, none.left, 0, 'left of none')
  near(t, none.right, 0, 'right of none')
  const { top: ascent = 0, bottom: descent = 0 } = none
  const wanted = async (
    margin: object | undefined,
    mm: { top: number; bottom: number; left: number; right: number },
  ) => {
    const found = await edges(margin)
    const what = JSON.stringify(margin)
    near(t, found.left, mm.left, `left of ${what}`)
    near(t, found.right, mm.right, `right of ${what}`)
    near(t, found.top, mm.top + ascent, `top of ${what}`)
    near(t, found.bottom, mm.bottom + descent, `bottom of ${what}`)
  }
  await wanted(undefined, { top: 20, bottom: 20, left: 15, right: 15 })
  await wanted({ top: 50, left: 40.5 }, { top: 50, bottom: 20, left: 40.5, right: 15 })
  await wanted({ top: 1, bottom: 60, left: 0, right: 70 }, { top: 1, bottom: 60, left: 0, right: 70 })
})

t.test('header_html and footer_html are printed in the margins of every page', async (t) => {
  const options = {
    header_html: '<b>Head</b> <span class="title"></span>',
    footer_html: 'Page <span class="pageNumber"></span> of <span class="totalPages"></span>',
  }
  const read = await printed(`<title>Booklet</title>${pages(3)}`, options)
  t.equal(read.length, 3)
  for (const [at, { text, runs }] of read.entries()) {
    t.match(text, /Head/)
    t.match(text, /Booklet/)
    t.match(text, new RegExp(`Page ${at + 1} of 3`))
    const head = runs.find((run) => run.text.includes('Head'))
    const foot = runs.find((run) => run.text.includes('Page'))
    t.ok(head && head.baselineMm < 20, 'the header is in the upper margin')
    t.ok(foot && foot.baselineMm > 277, 'the footer is in the lower margin')
    t.ok(head && foot && head.sizePt >= 6 && foot.sizePt >= 6, 'both are legible without a font size of their own')
  }
  const [only] = await printed('Body', { footer_html: 'Foot only' })
  t.equal(only?.text, 'Body Foot only', 'a missing header is empty')
  const dated = await printed('Body', { header_html: '<span class="date"></span>' })
  t.match(dated[0]?.text, /\d/)
  const data = { who: 'Ada & Bo' }
  const [compiled] = await print(platen, { html: 'x', data, options: { header_html: 'By {{who}}' } })
  t.match(compiled?.text, /By Ada & Bo/)
  const [verbatim] = await print(platen, { html: 'x', options: { header_html: 'By {{who}}' } })
  t.match(verbatim?.text, /By \{\{who\}\}/)
})

t.test('print_background: false leaves out backgrounds', async (t) => {
  const document = '<div style="background: #ff0000; height: 30mm">On red</div>'
  t.ok((await printed(document))[0]?.fills.includes('#ff0000'), 'on by default')
  t.ok((await printed(document, { print_background: true }))[0]?.fills.includes('#ff0000'))
  const [without] = await printed(document, { print_background: false })
  t.notOk(without?.fills.includes('#ff0000'))
  t.equal(without?.text, 'On red')
})

t.test('scale sets the size of the content', async (t) => {
  const size = async (scale?: number) =>
    (await printed(corner('Scaled'), scale === undefined ? {} : { scale }))[0]?.runs[0]?.sizePt
  const normal = (await size()) ?? 0
  near(t, normal, 10, '1 by default')
  for (const scale of [0.1, 0.5, 1.5, 2]) near(t, await size(scale), 10 * scale, `scale ${scale}`)
})

t.test('page_ranges prints these pages only, and fails for pages that do not exist', async (t) => {
  const cases: [ranges: string, sheets: number[]][] = [
    ['2', [2]],
    ['1-2, 4', [1, 2, 4]],
    ['3-', [3, 4, 5]],
    ['1,3-4', [1, 3, 4]],
    ['1-5', [1, 2, 3, 4, 5]],
  ]
  for (const [page_ranges, sheets] of cases) {
    const { generation, pdf } = await generate(platen, { html: pages(5), options: { page_ranges } })
    t.equal(generation.pages, sheets.length, page_ranges)
    t.strictSame(
      texts(await readPdf(pdf)),
      sheets.map((sheet) => `Sheet ${sheet}`),
    )
  }
  for (const page_ranges of ['6', '6-9', '2, 9-', '1-3, 7']) {
    const { status, body } = await post({ html: pages(5), options: { page_ranges } })
    t.equal(status, 422, page_ranges)
    t.match(body, { error: { code: 'RENDER_FAILED', message: /\b5\b/ } }, page_ranges)
  }
})

t.test('inline HTML is a template only with data', async (t) => {
  t.strictSame(texts(await printed('As it {{stands}}, {{#if}} braces {{{and}}} all')), [
    'As it {{stands}}, {{#if}} braces {{{and}}} all',
  ])
  t.equal(await filled('Hello {{name}}{{missing}}{{deeply.missing.too}}!', { name: 'Ada' }), 'Hello Ada!')
  t.equal(await filled('[{{anything}}]', {}), '[]')
  const [utf8] = await printed('Größe ✓ 漢字 עברית')
  for (const word of ['Größe', '✓']) t.match(utf8?.text, word)
})

t.test('data is filled in by the Handlebars rules', async (t) => {
  const markup = { html: '<b>bold</b> & <i>' }
  t.equal(await filled('{{html}}', markup), '<b>bold</b> & <i>', 'escaped')
  t.equal(await filled('{{{html}}}', markup), 'bold &', 'as markup')
  const items = [
    { name: 'a', n: 1 },
    { name: 'b', n: 0 },
  ]
  t.equal(
    await filled('{{#each items}}{{@index}}{{name}}{{#if n}}!{{else}}?{{/if}}{{#unless @last}}, {{/unless}}{{/each}}', {
      items,
    }),
    '0a!, 1b?',
  )
  t.equal(
    await filled('{{#each none}}x{{else}}nothing{{/each}} {{#with one}}{{two}}{{/with}}', { one: { two: 2 } }),
    'nothing 2',
  )
  t.equal(await filled('{{a.b.[0]}} {{a.[x y]}} {{../a}}', { a: { b: ['zero'], 'x y': 'spaced' } }), 'zero spaced')
  t.equal(
    await filled('[{{constructor}}{{__proto__}}{{a.constructor.name}}]', { a: {} }),
    '[]',
    'prototypes are not accessible',
  )
})

t.test('the helpers work in documents', async (t) => {
  const rendered: [template: string, data: object, text: string][] = [
    ['{{formatDate day "long" locale="de-DE"}}', { day: '2026-01-31' }, '31. Januar 2026'],
    ['{{formatDate at "yyyy-MM-dd HH:mm" timezone="Asia/Tokyo"}}', { at: '2026-01-31T12:00:00Z' }, '2026-01-31 21:00'],
    ['{{formatNumber n decimals=2 locale="de-DE"}}', { n: 1234.5 }, '1.234,50'],
    ['{{formatCurrency n "USD"}}', { n: 9.9 }, '$9.90'],
    ['{{formatPercent n}}', { n: 0.19 }, '19%'],
    ['{{#if (eq a "x")}}yes{{/if}}{{#if (gt n 3)}}no{{/if}}', { a: 'x', n: 3 }, 'yes'],
    ['{{add 0.1 0.2}} {{multiply 3 n}} {{round 2.345 2}}', { n: 4 }, '0.3 12 2.35'],
    ['{{sum items "n"}} {{count items}}', { items: [{ n: 1 }, { n: 2.5 }] }, '3.5 2'],
    ['{{#repeat 3}}{{@index}}{{/repeat}}', {}, '012'],
    ['{{uppercase a}} {{join list "+"}} {{default missing "none"}}', { a: 'ä', list: [1, 2] }, 'Ä 1+2 none'],
  ]
  const html = rendered.map(([template], at) => `<p>${at}: {{#with c${at}}}${template}{{/with}};</p>`).join('')
  const data = Object.fromEntries(rendered.map(([, context], at) => [`c${at}`, { ...context, _: 1 }]))
  const text = (await filled(html, data)) ?? ''
  for (const [at, [template, , wanted]] of rendered.entries()) t.ok(text.includes(`${at}: ${wanted};`), template)
  t.strictSame(texts(await print(platen, { html: 'One{{pageBreak}}Two', data: {} })), ['One', 'Two'])
  t.match((await post({ html: '{{divide 1 0}}', data: {} })).body, {
    error: { code: 'TEMPLATE_RENDER_ERROR', message: /divide/ },
  })
})

t.test('a stored template', async (t) => {
  const store = async (body: object, path = '', method = 'POST') =>
    (await platen.json<Template>(`/v1/templates${path}`, { method, body })).body
  const { id } = await store({ name: 'Greeting', html: 'Hello [{{name}}]', sample_data: { name: 'Sample' } })

  t.test('is printed by id and by slug', async (t) => {
    for (const template of [id, 'greeting']) {
      const { generation, pdf } = await generate(platen, { template, data: { name: 'Ada' } })
      t.strictSame(generation.template, { id, version: 1 })
      t.strictSame(texts(await readPdf(pdf)), ['Hello [Ada]'])
    }
  })

  t.test('without data is filled with nothing, not with its sample data', async (t) => {
    t.strictSame(texts(await print(platen, { template: id })), ['Hello []'])
    const [page] = await print(platen, { template: id, options: { footer_html: '<{{x}}b>Foot {{x}}' } })
    t.match(page?.text, /Foot$/, 'the footer of a template is compiled too')
  })

  t.test('is printed in the version that the client has just written', async (t) => {
    for (let at = 2; at <= 6; at++) {
      t.equal((await store({ html: `Version ${at}` }, `/${id}`, 'PATCH')).version, at)
      t.strictSame(texts(await print(platen, { template: id })), [`Version ${at}`])
    }
  })

  t.test('is printed in an older version with template_version', async (t) => {
    const version = async (template_version: number) => {
      const { generation, pdf } = await generate(platen, {
        template: 'greeting',
        template_version,
        data: { name: 'Bo' },
      })
      return [generation.template?.version, ...texts(await readPdf(pdf))]
    }
    t.strictSame(await version(1), [1, 'Hello [Bo]'])
    t.strictSame(await version(3), [3, 'Version 3'])
    t.strictSame(await version(6), [6, 'Version 6'])
    const { status, body } = await post({ template: id, template_version: 7 })
    t.equal(status, 404)
    t.match(body, { error: { code: 'TEMPLATE_NOT_FOUND', message: /7/ } })
  })

  t.test('answers 404 after it was deleted', async (t) => {
    await platen.request(`/v1/templates/${id}`, { method: 'DELETE' })
    for (const template of [id, 'greeting', 'never-was', 'tpl_00000000000000000000000000']) {
      const { status, body } = await post({ template })
      t.equal(status, 404, template)
      t.match(body, { error: { code: 'TEMPLATE_NOT_FOUND' } })
    }
  })
})

t.test('fonts and images in data: URLs are printed', async (t) => {
  const require = createRequire(import.meta.url)
  const font = await readFile(require.resolve('pdfjs-dist/standard_fonts/LiberationSans-BoldItalic.ttf'), 'base64')
  const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='
  const [page] = await printed(`
    <style>@font-face { font-family: Probe; src: url(data:font/ttf;base64,${font}) } p { font: 12pt Probe }</style>
    <p>In the web font</p>
    <img src="data:image/png;base64,${pixel}" width="40" height="40">`)
  t.equal(page?.text, 'In the web font')
  t.strictSame(page?.fonts, ['LiberationSans-BoldItalic'])
  t.equal(page?.images, 1)
  const far = await printed(
    `<div style="height: 600mm"></div><img src="data:image/png;base64,${pixel}" loading="lazy">`,
  )
  t.equal(far.at(-1)?.images, 1, 'an image with loading=lazy is printed')
})

t.test('content that scripts make is printed', async (t) => {
  const [page] = await printed(`
    <table id="rows"></table><canvas id="canvas" width="50" height="50"></canvas>
    <script>
      for (const n of [1, 2, 3]) document.querySelector('#rows').insertRow().insertCell().textContent = 'Row ' + n * n
      const context = document.querySelector('#canvas').getContext('2d')
      context.fillStyle = 'blue'
      context.fillRect(0, 0, 50, 50)
    </script>
    <img src="data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==" onload="this.replaceWith('loaded')">
    <script type="module">document.body.append(' module')</script>`)
  for (const words of ['Row 1', 'Row 4', 'Row 9', 'loaded', 'module']) t.match(page?.text, words)
  t.equal(page?.images, 1, 'the canvas')
})

t.test('documents do not share any state', async (t) => {
  const writer = `<p>Writer<script>
    window.name = 'written'; globalThis.written = 1
    try { document.cookie = 'written=1' } catch {}
    try { localStorage.written = 1 } catch {}
    setInterval(() => document.body.append('intruder'), 1)
    document.body.append('done')</script>`
  const reader = `<p>Read<script>
    let stored = ''
    try { stored += document.cookie } catch {}
    try { stored += localStorage.written ?? '' } catch {}
    document.body.append('[' + window.name + (globalThis.written ?? '') + stored + ']')</script>`
  for (let round = 0; round < 3; round++) {
    t.match((await printed(writer))[0]?.text, /^Writer done/)
    t.strictSame(texts(await printed(reader)), ['Read []'])
    t.strictSame(texts(await printed('static')), ['static'])
  }
})

t.test('documents printed at the same time have their own text', async (t) => {
  const all = await Promise.all(Array.from({ length: 20 }, (_, at) => printed(`<p>Document ${at}`)))
  t.strictSame(
    all.map(([page]) => page?.text),
    all.map((_, at) => `Document ${at}`),
  )
})

t.test('a document over 512 KiB is printed', async (t) => {
  const { generation, pdf } = await generate(platen, { html: `<!--${'x'.repeat(1_500_000)}--><p>Large` })
  t.equal(generation.pages, 1)
  t.strictSame(texts(await readPdf(pdf)), ['Large'])
})

t.test('a document that cannot be printed answers an error with the reason', async (t) => {
  const failures: [body: object, status: number, code: string, message: RegExp][] = [
    [{ html: '<p>\n{{#if a}}', data: {} }, 422, 'TEMPLATE_SYNTAX_ERROR', /html.*line/],
    [{ html: 'x', data: {}, options: { header_html: '{{/if}}' } }, 422, 'TEMPLATE_SYNTAX_ERROR', /header_html/],
    [{ html: '{{a}}'.repeat(5_001), data: {} }, 422, 'TEMPLATE_TOO_COMPLEX', /html/],
    [{ html: '{{#repeat 6000000}}x{{/repeat}}', data: {} }, 422, 'RENDER_LIMIT_EXCEEDED|TEMPLATE_RENDER_ERROR', /./],
    [{ html: '<meta http-equiv="refresh" content="0;url=http://example.com">x' }, 422, 'RENDER_FAILED', /navigates/],
    [{ html: '<script>location = "http://127.0.0.1:1/"</script>x' }, 422, 'RENDER_FAILED', /navigates/],
    [
      { html: '<form action="http://example.com"></form><script>document.forms[0].submit()</script>' },
      422,
      'RENDER_FAILED',
      /navigates/,
    ],
    [{ html: '<p style="break-after: page">x'.repeat(1_001) }, 422, 'RENDER_LIMIT_EXCEEDED', /1000/],
    [{ html: '<script>for (;;) {}</script>', options: { timeout_ms: 2_000 } }, 504, 'RENDER_TIMEOUT', /./],
  ]
  for (const [body, status, code, message] of failures) {
    const what = JSON.stringify(body).slice(0, 100)
    const failed = await post(body)
    t.equal(failed.status, status, what)
    t.match(failed.body, { error: { code: new RegExp(`^(${code})$`), message } }, what)
    t.notMatch(JSON.stringify(failed.body), /\/tmp|node_modules|at \w+ \(|127\.0\.0\.1/, `${what}: no internal detail`)
  }
  t.strictSame(texts(await printed('Next')), ['Next'])
})

t.test('a map with 100,000 different fields is printed', async (t) => {
  const amounts = Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`customer ${at}`, at]))
  const html = '<p>{{lookup amounts "customer 99999"}} of {{owner}}</p>'
  t.equal(await filled(html, { owner: 'Lindqvist', amounts }), '99999 of Lindqvist')
})
