import type { JsonObject } from '@platen/foundation/json/json.ts'
import t from 'tap'
import { DomainError } from '../errors/errors.ts'
import { MissingValues, missingValueWarnings } from './missing-values.ts'
import { loadPartials, renderTemplate } from './templates.ts'

const now = new Date(0)

function missingIn(source: string, data: JsonObject = {}): string[] {
  const missing = new MissingValues({ data, strict: false })
  renderTemplate(source, 'html', { data, now, missing })
  return missing.list().flatMap(({ code, path }) => (code === 'MISSING_VALUE' ? [path] : []))
}

t.test('a value that is printed and not in the data is named by its path', async (t) => {
  const items = [{ price: 1, tags: [{ t: 1 }] }, { tags: [{}, { t: 1 }] }, {}]
  const cases: [source: string, paths: string[], data?: JsonObject][] = [
    ['{{name}}', ['name']],
    ['{{{name}}}{{&other}}', ['name', 'other']],
    ['{{customer.address.city}}', ['customer.address.city']],
    ['{{customer.address.city}}', ['customer.address.city'], { customer: { address: {} } }],
    ['{{./name}}{{this.other}}{{@root.third.x}}', ['name', 'other', 'third.x']],
    ['{{[first name].[a-b]}}{{b.[c d]}}', ['["first name"].a-b', 'b["c d"]']],
    ['{{formatCurrency total}}{{uppercase name}}{{sum items "price"}}', ['total', 'name', 'items']],
    ['{{formatDate due style=look}}', ['due', 'look']],
    ['{{formatNumber (add net (multiply vat 2))}}', ['net', 'vat']],
    ['{{count}}{{now.x}}', ['count', 'now.x']],
    ['{{#each items}}{{price}}{{/each}}', ['items[1].price'], { items }],
    ['{{#each items}}{{../name}}{{@root.title}}{{/each}}', ['name', 'title'], { items }],
    ['{{#each items as |item|}}{{item.price}}{{/each}}', ['items[1].price'], { items }],
    [
      '{{#each items as |item|}}{{#each item.tags}}{{t}}{{/each}}{{/each}}',
      ['items[2].tags', 'items[1].tags[0].t'],
      { items },
    ],
    ['{{#with a}}{{b}}{{#with c}}{{d}}{{/with}}{{/with}}', ['a.b', 'a.c.d'], { a: { c: {} } }],
    ['{{#with a as |x|}}{{x.b}}{{/with}}', ['a.b'], { a: { c: {} } }],
    ['{{#a}}{{b}}{{/a}}', ['a[0].b'], { a: [{}] }],
    ['{{#each (chunk items 2)}}{{#each this}}{{price}}{{/each}}{{/each}}', ['items[1].price'], { items }],
    ['{{#each (group items "price")}}{{kind}}{{/each}}', ['kind'], { items }],
    ['{{#*inline "row"}}{{price}}{{/inline}}{{#each items}}{{> row}}{{/each}}', ['items[1].price'], { items }],
    ['{{#*inline "row"}}{{title}}{{/inline}}{{> row title=heading}}', ['title']],
    ['{{#each items}}x{{/each}}{{#with a}}x{{/with}}{{#repeat n}}x{{/repeat}}', ['items', 'a', 'n']],
    ['{{@index}}{{@first}}', ['@index', '@first']],
    ['{{#if paid}}{{date}}{{else}}{{due}}{{/if}}', ['due']],
    ['{{constructor}}{{a.__proto__}}', ['constructor', 'a.__proto__'], { a: {} }],
  ]
  for (const [source, paths, data] of cases) t.strictSame(missingIn(source, data).sort(), paths.sort(), source)
})

t.test('conditions ask for values that may be missing', async (t) => {
  const asking = [
    '{{#if paid}}x{{/if}}{{#unless paid.on}}x{{/unless}}{{#paid}}x{{/paid}}{{^paid}}x{{/paid}}',
    '{{default note "none"}}{{or a b "none"}}{{#if (and a (gt (count items) 2))}}x{{/if}}{{eq a b}}{{in a list}}',
    '{{default (formatDate due) "none"}}{{uppercase (default name "x")}}{{not (uppercase name)}}',
    '{{#each items}}x{{else}}none{{/each}}{{#with a}}x{{else}}none{{/with}}{{#repeat n}}x{{else}}none{{/repeat}}',
    '{{lookup prices "x"}}{{#with (lookup prices key)}}x{{/with}}',
    '{{#*inline "row"}}x{{/inline}}{{> row context a=b}}{{> (lookup . "which")}}',
    '{{undefined}}{{null}}{{"a b"}}{{formatNumber undefined}}{{this}}{{.}}',
  ]
  const data = { '': '', which: 'row', undefined: 1, null: 1, 'a b': 1 }
  for (const source of asking) t.strictSame(missingIn(source, data), [], source)
  const given = { a: null, b: '', c: false, d: 0, e: [], f: {} }
  t.strictSame(missingIn('{{a}}{{b}}{{c}}{{d}}{{e}}{{f}}{{formatDate a}}{{a.x}}{{#each e}}{{x}}{{/each}}', given), [])
})

t.test('a warning says where the value is printed first, and how many items miss it', async (t) => {
  const data = { items: Array.from({ length: 40 }, (_, at) => (at === 0 ? { price: 1 } : {})) }
  const missing = new MissingValues({ data, strict: false })
  renderTemplate('\n {{#each items}}{{price}}{{price}}{{/each}}', 'html', { data, now, missing })
  renderTemplate('{{page}}', 'footer_html', { data, now, missing })
  t.strictSame(missingValueWarnings(missing), [
    {
      code: 'MISSING_VALUE',
      message: 'items[1].price is not in the data (and 38 more like it): html, line 2, column 19',
      path: 'items[1].price',
      source: 'html',
      line: 2,
      column: 19,
    },
    {
      code: 'MISSING_VALUE',
      message: 'page is not in the data: footer_html, line 1, column 3',
      path: 'page',
      source: 'footer_html',
      line: 1,
      column: 3,
    },
  ])
})

t.test('at most a thousand more items are counted', async (t) => {
  const data = { items: Array.from({ length: 1_500 }, () => ({})) }
  const missing = new MissingValues({ data, strict: false })
  renderTemplate('{{#each items}}{{price}}{{/each}}', 'html', { data, now, missing })
  t.match(missingValueWarnings(missing), [{ message: /items\[0\]\.price .* \(and 1000 more like it\)/ }])
})

t.test('a value that a partial prints is named with the partial', async (t) => {
  const data = { items: [{}] }
  const partials = loadPartials({ row: '<td>\n{{price}}' })
  const filling = { data, now, partials, missing: new MissingValues({ data, strict: false }) }
  renderTemplate('{{#each items}}{{> row}}{{/each}}', 'html', filling)
  t.match(missingValueWarnings(filling.missing), [
    { message: 'items[0].price is not in the data: partial "row", line 2, column 3', path: 'items[0].price' },
  ])
  const strict = { ...filling, missing: new MissingValues({ data, strict: true }) }
  t.throws(() => renderTemplate('{{#each items}}{{> row}}{{/each}}', 'html', strict), {
    message: 'partial "row", line 2, column 3: items[0].price is not in the data',
    details: { source: 'partial "row"', excerpt: '{{price}}' },
  })
})

t.test('an object that is printed is named, also one with a field that Handlebars knows of safe texts', async (t) => {
  const data = { plain: { a: 1 }, odd: { toHTML: 1 } }
  const missing = new MissingValues({ data, strict: false })
  renderTemplate('{{plain}}{{odd}}{{nl2br "x"}}', 'html', { data, now, missing })
  t.match(missing.list(), [
    { code: 'OBJECT_PRINTED', path: 'plain' },
    { code: 'OBJECT_PRINTED', path: 'odd' },
  ])
})

t.test('the number of warnings and their length are limited', async (t) => {
  const missing = new MissingValues({ data: {}, strict: false })
  const source = `${Array.from({ length: 100 }, (_, at) => `{{field${at}}}`).join('')}{{[${'x'.repeat(5_000)}\n]}}`
  renderTemplate(source + source, 'html', { data: {}, now, missing })
  const warnings = missingValueWarnings(missing)
  t.equal(warnings.length, 21)
  t.match(warnings.at(-1), { message: '81 more values are not in the data' })
  t.strictSame(
    missingIn(`{{[${'x'.repeat(5_000)}\n]}}`).map(({ length }) => length),
    [200],
  )
  t.strictSame(missingIn('{{[a\u0007"]}}'), ['["a\\u0007\\""]'])
})

t.test('strict makes the first missing value an error with its path and place', async (t) => {
  const strict = (source: string, data: JsonObject = {}) => {
    try {
      return renderTemplate(source, 'html', { data, now, missing: new MissingValues({ data, strict: true }) })
    } catch (err) {
      return err instanceof DomainError ? err.toFailure() : err
    }
  }
  t.match(strict('<p>\n  {{#each items}}{{formatCurrency price}}{{/each}}', { items: [{ price: 1 }, {}] }), {
    code: 'TEMPLATE_RENDER_ERROR',
    message: 'html, line 2, column 35: items[1].price is not in the data',
    details: { source: 'html', line: 2, column: 35, path: 'items[1].price', excerpt: /^\{\{#each/ },
  })
  t.match(strict('{{#repeat 2}}{{a.b}}{{/repeat}}'), { message: 'html, line 1, column 16: a.b is not in the data' })
  t.equal(strict('{{#if a}}{{a}}{{/if}}{{default a "x"}}{{b}}', { b: null }), 'x')
})

t.test('large data is not searched without end', async (t) => {
  const data = { rows: Array.from({ length: 60_000 }, () => ({})), last: { x: {} } }
  t.strictSame(missingIn('{{#with last}}{{y}}{{/with}}', data), ['last.y'])
  t.strictSame(missingIn('{{#with last.x}}{{y}}{{/with}}', data), ['y'], 'as the template has it')
})
