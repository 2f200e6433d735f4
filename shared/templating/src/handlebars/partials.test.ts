import type { JsonObject } from '@platen/foundation/json/json.ts'
import t, { type Test } from 'tap'
import { openTemplateEngine } from './engine.ts'
import { maxRenderedBytes } from './rendered-limit.ts'
import { partialNames } from './scan.ts'
import { checkTemplate } from './templates.ts'

function open(t: Test) {
  const engine = openTemplateEngine({ workers: 1 })
  t.teardown(() => engine.close())
  const render = async (html: string, partials: Record<string, string>, data: JsonObject = {}) =>
    (await engine.render({ sources: { html }, partials, data })).texts.html
  return { engine, render }
}

t.test('a source calls partials with a context, arguments and a block', async (t) => {
  const { engine, render } = open(t)
  const partials = {
    address: '<b>{{name}}</b> {{city}}',
    layout: '<main>{{> address company}}|{{> @partial-block}}</main>',
    'line-item': '[{{@index}} {{label}} {{@root.currency}}]',
  }
  const data = { company: { name: 'A & B', city: 'Oslo' }, items: [{ label: 'x' }, { label: 'y' }], currency: 'NOK' }
  t.equal(await render('{{> address company}}', partials, data), '<b>A &amp; B</b> Oslo')
  t.equal(await render('{{> address company city="Rome"}}', partials, data), '<b>A &amp; B</b> Rome')
  t.equal(await render('{{#each items}}{{> line-item}}{{/each}}', partials, data), '[0 x NOK][1 y NOK]')
  const layout = '{{#> layout}}{{#each items}}{{label}}{{/each}}{{/layout}}'
  t.equal(await render(layout, partials, data), '<main><b>A &amp; B</b> Oslo|xy</main>')
  t.equal(await render('{{#> none}}fallback{{/none}}', partials, data), 'fallback')
  const chosen = '{{#if no}}{{> address}}{{/if}}{{> (lookup . "which") company}}'
  t.equal(await render(chosen, partials, { ...data, which: 'address' }), '<b>A &amp; B</b> Oslo')
  const sources = { html: '{{> a}}', header_html: '{{> a}} of {{> b}}', footer_html: 'none' }
  const filled = await engine.render({ sources, partials: { a: '{{x}}', b: '2' }, data: { x: 1 } })
  t.same(filled.texts, { html: '1', header_html: '1 of 2', footer_html: 'none' })
})

t.test('a template fills the blocks of a layout by their names', async (t) => {
  const { render } = open(t)
  const layout = '<h1>{{#> title}}Untitled{{/title}}</h1>{{#> content}}{{/content}}'
  const html = '{{#> layout}}{{#*inline "content"}}<p>{{text}}</p>{{/inline}}{{/layout}}'
  t.equal(await render(html, { layout }, { text: 'hello' }), '<h1>Untitled</h1><p>hello</p>')
  const both = html.replace('{{/layout}}', '{{#*inline "title"}}Report{{/inline}}{{/layout}}')
  t.equal(await render(both, { layout }, { text: 'hello' }), '<h1>Report</h1><p>hello</p>')
  t.equal(await render(html, { layout, title: 'stored' }, {}), '<h1>stored</h1><p></p>')
})

t.test('jobs with other versions of a partial do not see each other', async (t) => {
  const { render } = open(t)
  for (let round = 0; round < 3; round++) {
    for (const version of ['one', 'two'])
      t.equal(await render('{{> p}}', { p: `${version} {{x}}` }, { x: 1 }), `${version} 1`)
  }
  await t.rejects(render('{{> p}}', {}), { message: /^html, line 1, column 1: there is no partial "p"/ })
})

t.test('errors in a partial name it, with the line in its source', async (t) => {
  const { render } = open(t)
  const letterhead = '<p>\n  {{formatCurrency total "EUR"}}\n{{> @partial-block}}'
  await t.rejects(render('\n\n{{> letterhead}}', { letterhead }, { total: 'abc' }), {
    code: 'TEMPLATE_RENDER_ERROR',
    message:
      'partial "letterhead", line 2, column 3: formatCurrency: "abc" is not a number, in {{formatCurrency total "EUR"}}',
    details: { source: 'partial "letterhead"', line: 2, column: 3, excerpt: '{{formatCurrency total "EUR"}}' },
  })
  await t.rejects(render('\n{{#> letterhead}}{{abs x}}{{/letterhead}}', { letterhead }, { total: 1, x: 'y' }), {
    message: 'html, line 2, column 18: abs: "y" is not a number, in {{abs x}}',
  })
  await t.rejects(render('{{> p}}', { p: 'a\n{{#if x}}' }), {
    code: 'TEMPLATE_SYNTAX_ERROR',
    message: 'partial "p", line 2, column 1: {{#if x}} is not closed',
  })
})

t.test('the output of partials is limited', async (t) => {
  const { render } = open(t)
  const doubling = Object.fromEntries(
    Array.from({ length: 30 }, (_, at) => [`p${at}`, `{{> p${at + 1}}}{{> p${at + 1}}}`]),
  )
  const leaf = 'x'.repeat(100_000)
  const code = await render('{{> p0}}', { ...doubling, p30: leaf }).catch((err) => err.code)
  t.ok(['RENDER_LIMIT_EXCEEDED', 'TEMPLATE_TOO_COMPLEX'].includes(code), code)
  await t.rejects(render('{{> p}}', { p: '{{{a}}}{{{a}}}' }, { a: 'x'.repeat(maxRenderedBytes / 2 + 1) }), {
    code: 'RENDER_LIMIT_EXCEEDED',
  })
  t.equal(await render('{{> p}}', { p: 'still works' }), 'still works')
})

t.test('a check returns the partials that the source calls and defines', async (t) => {
  const source =
    'a\n{{> own}} {{#> layout}}{{#*inline "content"}}{{> "address"}}{{/inline}}{{/layout}}{{#*inline "own"}}{{/inline}}'
  t.same(checkTemplate(source, 'html'), {
    calls: [
      { name: 'layout', hasBlock: true, line: 2, column: 10 },
      { name: 'address', hasBlock: false, line: 2, column: 45 },
    ],
    defined: ['content', 'own'],
  })
})

t.test('names of partials are found without the parser', async (t) => {
  const cases: [source: string, names: string[]][] = [
    ['<p>{{a}}</p>', []],
    ['{{> a}}{{>b}}{{~> c ~}}{{#> d}}{{/d}}{{~#>e}}{{/e}}', ['a', 'b', 'c', 'd', 'e']],
    ['{{> "a b"}}{{> \'c\'}}{{> [d]}}{{> e f=1}}{{> e}}', ['a b', 'c', 'd', 'e']],
    ['{{> (lookup . "x")}}{{! {{> no}}{{!-- {{> no}} --}}\\{{> no}}{{a "{{> no}}"}}', []],
    ['{{#if a}}{{> line-item item}}{{/if}}', ['line-item']],
  ]
  for (const [source, names] of cases) t.same(partialNames(source), names, source)
  const many = Array.from({ length: 20_000 }, (_, at) => `{{> p${at}}}`)
  t.equal(partialNames(many.join('')).length, 5_001, 'with more mustaches it is refused when it is filled')
})

t.test('partials that call each other in a circle print nothing: the circle is named', async (t) => {
  const { render } = open(t)
  const circle = {
    code: 'TEMPLATE_RENDER_ERROR',
    message: 'partial "b", line 2, column 1: the partial "a" calls itself: a → c → b → a',
  }
  await t.rejects(render('{{> a}}', { a: '{{> c}}', b: '\n{{> a}}', c: '{{#if x}}{{> b}}{{/if}}' }), circle)
  await t.rejects(render('{{> a}}', { a: '{{#> a}}{{/a}}' }), { message: /calls itself: a → a$/ })
  const twice = { a: '{{> b}}{{> c}}', b: '{{> c}}', c: 'leaf ' }
  t.equal(await render('{{> a}}{{> b}}', twice), 'leaf leaf leaf ')
})
