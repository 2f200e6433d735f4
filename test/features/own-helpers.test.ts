import { createHash } from 'node:crypto'
import type { Generation } from '@platen/domain/generation/generation.ts'
import type { Template } from '@platen/domain/template/template.ts'
import t from 'tap'
import { startPlaten } from '../support/platen.ts'
import { generate } from '../support/print.ts'
import { readPdf } from '../support/read-pdf.ts'

// A template with functions of its own, from the request that saves it to the page.

const platen = await startPlaten({ RENDER_EGRESS: 'none', OWN_HELPERS: 'on' })
t.teardown(() => platen[Symbol.asyncDispose]())

type Failed = { error: { code: string; message: string; details?: Record<string, unknown> } }
const send = (path: string, body: object, method = 'POST') =>
  platen.json<Template & Generation & Failed & { differences: object[] }>(path, { method, body })
const textOf = async (body: object) => {
  const { pdf, generation } = await generate(platen, body)
  return { generation, text: (await readPdf(pdf)).map(({ text }) => text).join(' ') }
}
const hashOf = (script: string) => createHash('sha256').update(script).digest('hex')

const script = `export const gross = (net, options) => net * (1 + options.hash.rate / 100)
export const twice = (text) => text + text`

t.test('a version prints with its own script, in the body, the header and the footer', async (t) => {
  const created = await send('/v1/templates', {
    name: 'Scripted',
    html: '<p>{{formatNumber (gross net rate=19) decimals=2}} {{twice "ab"}}</p>',
    header_html: '<p style="font-size:12px">{{twice "head"}}</p>',
    options: { margin: { top: 30 } },
    helpers: script,
  })
  t.equal(created.status, 201, JSON.stringify(created.body))
  t.equal(created.body.helpers, script)
  const request = { template: 'scripted', data: { net: 100 } }
  const first = await textOf(request)
  t.match(first.text, '119.00 abab')
  t.match(first.text, 'headhead')
  t.equal(first.generation.helpers_sha256, hashOf(script))

  const changed = script.replace('text + text', '"<" + text + ">"')
  const { status } = await send(`/v1/templates/${created.body.id}`, { helpers: changed }, 'PATCH')
  t.equal(status, 200)
  const second = await textOf(request)
  t.match(second.text, '<ab>')
  t.equal(second.generation.helpers_sha256, hashOf(changed))
  t.match((await textOf({ ...request, template_version: 1 })).text, 'abab', 'an older version has its own')

  const { body: compared } = await platen.json<{ changed: string[]; differences: object[] }>(
    `/v1/templates/${created.body.id}/compare?from=1&to=2`,
  )
  t.match(compared, { changed: ['helpers'], differences: [{ path: 'helpers', diff: /^\+.*"<" \+ text/m }] })
  const { body: pages } = await platen.json(`/v1/templates/${created.body.id}/compare`, {
    body: { data: request.data },
  })
  t.match(pages, { pages: [{ status: 'changed' }], printed: { from: { warnings: [] }, to: { warnings: [] } } })
})

t.test('a list of templates has no script, and a preview of an unsaved source has that of its template', async (t) => {
  const { body } = await platen.json<{ data: Template[] }>('/v1/templates?summary=true')
  t.notOk(body.data.some((template) => 'helpers' in template))
  const preview = await platen.request('/v1/preview', {
    body: { template: 'scripted', html: '<p>{{twice "new"}}</p>', data: {} },
  })
  t.equal(preview.status, 200, preview.status === 200 ? '' : await preview.text())
})

t.test('a script that does not fit its sources is refused, and nothing is saved', async (t) => {
  const name = 'Refused'
  const cases: [object, object][] = [
    [
      { html: '{{nope 1}}', helpers: script },
      { code: 'TEMPLATE_RENDER_ERROR', message: /there is no helper "nope"/ },
    ],
    [
      { html: 'x', helpers: 'export const a = (' },
      { code: 'TEMPLATE_SYNTAX_ERROR', details: { source: 'helpers', line: 1 } },
    ],
    [
      { html: 'x', helpers: 'export const each = () => 1' },
      { code: 'TEMPLATE_RENDER_ERROR', message: /helper each already/ },
    ],
    [{ html: 'x', helpers: 'for (;;);' }, { code: 'TEMPLATE_TOO_COMPLEX' }],
    [{ html: 'x', helpers: '' }, { code: 'VALIDATION_ERROR' }],
    [{ html: 'x', helpers: `//${'x'.repeat(64 * 1024)}` }, { code: 'VALIDATION_ERROR' }],
    [{ html: 'x', helpers: 1 }, { code: 'VALIDATION_ERROR' }],
  ]
  for (const [fields, error] of cases) {
    const { status, body } = await send('/v1/templates', { name, ...fields })
    t.match({ status, error: body.error }, { status: /^4\d\d$/, error }, JSON.stringify(fields).slice(0, 60))
  }
  t.equal((await platen.json('/v1/templates/refused')).status, 404)
})

t.test('a helper that a source calls cannot be taken away', async (t) => {
  const path = '/v1/templates/scripted'
  const gone = await send(path, { helpers: null }, 'PATCH')
  t.match({ status: gone.status, error: gone.body.error }, { status: 422, error: { message: /no helper "gross"/ } })
  const both = await send(path, { helpers: null, html: '<p>{{net}}</p>', header_html: null }, 'PATCH')
  t.equal(both.status, 200, JSON.stringify(both.body.error))
  t.notOk('helpers' in both.body)
  const { generation } = await textOf({ template: 'scripted', data: { net: 1 } })
  t.notOk('helpers_sha256' in generation)
})

t.test('what a helper throws ends the generation with both places', async (t) => {
  const helpers = 'export const age = (person) => {\n  return person.born.year\n}'
  t.equal((await send('/v1/templates', { name: 'Failing', html: '<p>{{age person}}</p>', helpers })).status, 201)
  const { status, body } = await send('/v1/generate', { template: 'failing', data: { person: {} } })
  t.equal(status, 422)
  t.match(body.error, {
    code: 'TEMPLATE_RENDER_ERROR',
    message: /^html, line 1, column 4: age: cannot read property 'year' of undefined \(helpers, line 2, column \d+\)/,
    details: { source: 'html', helper: 'age' },
  })
})

t.test('without the setting a template with a script is neither saved nor printed', async (t) => {
  await using off = await startPlaten({ RENDER_EGRESS: 'none' })
  const body = { name: 'Scripted', html: '<p>{{twice "ab"}}</p>', helpers: script }
  const refused = await off.json<Failed>('/v1/templates', { body })
  t.match(refused, { status: 422, body: { error: { message: /OWN_HELPERS=on/ } } })
})
