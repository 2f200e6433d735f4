import type { Generation } from '@platen/domain/generation/generation.ts'
import { getDocument, VerbosityLevel } from 'pdfjs-dist/legacy/build/pdf.mjs'
import t from 'tap'
import { generate } from '../support/print.ts'
import { readPdf } from '../support/read-pdf.ts'
import { ownerOfSharedPlaten } from '../support/shared-platen.ts'

const platen = await ownerOfSharedPlaten()
const post = (body: object) => platen.json<Generation & { error: object }>('/v1/generate', { body })

const later = `<p id=p>early</p><script>setTimeout(() => { p.textContent = 'late'; p.className = 'done'; window.done = 1 }, 300)</script>`

t.test('wait_for waits for a selector, an expression or milliseconds', async (t) => {
  for (const wait_for of [{ selector: '.done' }, { expression: 'window.done' }, { ms: 900 }]) {
    const { pdf, generation } = await generate(platen, { html: later, options: { wait_for } })
    t.equal((await readPdf(pdf))[0]?.text, 'late', JSON.stringify(wait_for))
    t.equal(generation.engine?.mode, 'scripted')
  }
  const { status, body } = await post({
    html: later,
    options: { timeout_ms: 8_000, wait_for: { expression: 'missing.done' } },
  })
  t.equal(status, 504)
  const message = /options\.wait_for\.expression .*missing\.done; its last error: ReferenceError/
  t.match(body, { error: { code: 'RENDER_TIMEOUT', message } })
})

t.test('timeout_ms shortens the time of a document, also as an option of a template', async (t) => {
  const options = { timeout_ms: 8_000, wait_for: { ms: 30_000 } }
  const message = /not ready in time/
  const inline = await post({ html: 'x', options })
  t.match(inline, { status: 504, body: { error: { code: 'RENDER_TIMEOUT', message } } })
  await platen.json('/v1/templates', { body: { name: 'Short', html: 'x', options } })
  t.match(await post({ template: 'short' }), { status: 504, body: { error: { message } } })
  const longer = await post({ template: 'short', options: { timeout_ms: 600_000, wait_for: { ms: 0 } } })
  t.equal(longer.status, 200)
})

t.test('wait_for works with a template', async (t) => {
  await platen.json('/v1/templates', { body: { name: 'Late', html: later.replace("'late'", "'{{word}}'") } })
  const { pdf } = await generate(platen, {
    template: 'late',
    data: { word: 'filled' },
    options: { wait_for: { ms: 900 } },
  })
  t.equal((await readPdf(pdf))[0]?.text, 'filled')
})

t.test('the PDF has an outline, tags and metadata', async (t) => {
  const html = '<html lang=en><title>Handbook</title><meta name=author content="Ada Lovelace"><h1>One</h1><h2>Two</h2>'
  const { pdf } = await generate(platen, { html, options: { outline: true } })
  const task = getDocument({ data: new Uint8Array(pdf), verbosity: VerbosityLevel.ERRORS })
  const document = await task.promise
  t.match(await document.getOutline(), [{ title: 'One', items: [{ title: 'Two' }] }])
  t.ok(await (await document.getPage(1)).getStructTree())
  t.match((await document.getMetadata()).info, { Title: 'Handbook', Author: 'Ada Lovelace', Language: 'en' })
  await task.destroy()
})

t.test('missing values are warnings, and errors if the request says so', async (t) => {
  const body = {
    html: '<p>{{customer.name}}</p>{{#if paid}}paid{{/if}}',
    data: { customer: {} },
    options: { header_html: '{{title}}' },
  }
  const { generation } = await generate(platen, body)
  t.strictSame(generation.warnings, [
    {
      code: 'MISSING_VALUE',
      message: 'customer.name is not in the data: html, line 1, column 6',
      path: 'customer.name',
      source: 'html',
      line: 1,
      column: 6,
    },
    {
      code: 'MISSING_VALUE',
      message: 'title is not in the data: header_html, line 1, column 3',
      path: 'title',
      source: 'header_html',
      line: 1,
      column: 3,
    },
  ])
  t.match(await post({ ...body, options: { ...body.options, fail_on: ['MISSING_VALUE'] } }), {
    status: 422,
    body: { error: { code: 'RENDER_FAILED', message: /MISSING_VALUE: customer\.name .*\(and 1 more\)/ } },
  })
  t.match(await post({ ...body, options: { strict: true } }), {
    status: 422,
    body: { error: { code: 'TEMPLATE_RENDER_ERROR', details: { path: 'customer.name', line: 1, column: 6 } } },
  })
  const plain = await generate(platen, { html: body.html, options: { strict: true } })
  t.strictSame(plain.generation.warnings, [], 'without data html is not a template')
})

t.test('warnings are in the result, in polls and lists, and counted in a header beside a PDF', async (t) => {
  const html = '<img src=http://10.0.0.1/logo.png><p>&#x378;</p><script>console.error("no data")</script>'
  const { generation } = await generate(platen, { html })
  t.match(generation.warnings, [
    { code: 'RESOURCE_FAILED', message: /^http:\/\/10\.0\.0\.1\/logo\.png: refused by the egress policy/ },
    { code: 'CONSOLE_ERROR', message: 'no data' },
    { code: 'MISSING_GLYPHS', message: /U\+0378/ },
  ])
  const { body } = await platen.json<Generation>(`/v1/generations/${generation.id}?wait=5`)
  t.strictSame(body.warnings, generation.warnings)
  const list = await platen.json<{ data: Generation[] }>('/v1/generations?limit=1')
  t.strictSame(list.body.data[0]?.warnings, generation.warnings)
  const headers = { accept: 'application/pdf' }
  const pdf = await platen.request('/v1/generate', { body: { html }, headers })
  t.equal(pdf.headers.get('x-generation-warnings'), '3')
  t.equal((await pdf.bytes()).length, generation.size)
  t.strictSame((await generate(platen, { html: 'no warning' })).generation.warnings, [])
})

t.test('a warning in fail_on fails the generation', async (t) => {
  const html = '<img src=http://10.0.0.1/logo.png>'
  const options = { fail_on: ['RESOURCE_FAILED'] }
  const error = {
    code: 'RENDER_FAILED',
    message: /RESOURCE_FAILED: http/,
    details: { warnings: [{ code: 'RESOURCE_FAILED' }] },
  }
  t.match(await post({ html, options }), { status: 422, body: { error } })
  const { body } = await post({ html, options, async: true })
  const failed = await platen.json<Generation>(`/v1/generations/${body.id}?wait=10`)
  t.match(failed, { status: 200, body: { status: 'failed', error } })
  t.equal((await post({ html, options: { fail_on: ['CONSOLE_ERROR'] } })).status, 200)
})
