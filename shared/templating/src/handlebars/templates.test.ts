import type { JsonObject } from '@platen/foundation/json/json.ts'
import t from 'tap'
import { DomainError } from '../errors/errors.ts'
import { maxRenderedBytes } from './rendered-limit.ts'
import { checkTemplate, renderTemplate } from './templates.ts'

const render = (source: string, data: JsonObject = {}) => renderTemplate(source, 'html', { data, now: new Date(0) })

function failureOf(work: () => unknown) {
  try {
    work()
  } catch (err) {
    if (err instanceof DomainError) return err.toFailure()
    throw err
  }
  return undefined
}

t.test('a syntax error says what is wrong, where, and what was probably meant', async (t) => {
  const cases: [source: string, line: number, column: number, problem: string][] = [
    ['a\n  {{#if x}}\n {{#each y}}{{/each}}\n', 2, 3, '{{#if x}} is not closed'],
    ['{{#if a}}{{/each}}', 1, 4, '{{#if}} is closed by {{/each}}'],
    ['ab{{', 1, 3, '{{ is not closed: }} is missing'],
    ['<p>\n<h1>{{name</h1>', 2, 5, '{{name is not closed: }} is missing'],
    ['{{name</h1> {{other}}', 1, 1, '{{name is not closed: }} is missing'],
    ['{{#if paid {{name}}{{/if}}', 1, 1, '{{#if is not closed: }} is missing'],
    ['x {{name}</b>', 1, 3, '{{name is not closed: }} is missing'],
    ['x {{{name}</b>', 1, 3, '{{{name is not closed: }}} is missing'],
    ['a {{!-- b }} c', 1, 3, 'the comment is not closed: --}} is missing'],
    ['a {{! b', 1, 3, 'the comment is not closed: }} is missing'],
    ['{{items[0]}}', 1, 3, 'unexpected items[0]: write items.[0]'],
    ['{{formatNumber a.items[0][12].price 2}}', 1, 16, 'unexpected a.items[0][12].price: write a.items.[0].[12].price'],
    ['{{#each order["line items"]}}', 1, 9, 'unexpected order["line items"]: write order.[line items]'],
    ['{{formatDate date, "long"}}', 1, 14, 'unexpected date,: arguments are separated by spaces, without commas'],
    ['{{join "a" , "b"}}', 1, 12, 'unexpected ,: arguments are separated by spaces, without commas'],
    ['{{#if a == b}}{{/if}}', 1, 10, 'unexpected ==: there are no operators, write (eq a b)'],
    ['{{#if a !== b}}{{/if}}', 1, 9, 'unexpected !==: there are no operators, write (ne a b)'],
    ['{{#if !a}}{{/if}}', 1, 7, 'unexpected !: there are no operators, write (not a)'],
    ['{{#if a && b}}{{/if}}', 1, 9, 'unexpected &&: there are no operators, write (and a b)'],
    ['{{#if a >= 1}}{{/if}}', 1, 9, 'unexpected >=: there are no operators, write (gte a b)'],
    ['{{price * 2}}', 1, 9, 'unexpected *: there are no operators, write (multiply a b)'],
    ['{{name | upper}}', 1, 8, 'unexpected |: there are no filters, write the helper first: {{uppercase name}}'],
    ['{{#if (eq a b}}{{/if}}', 1, 14, 'unexpected }}: a ) is missing'],
    ['x\n{{a/../b}}', 2, 3, 'Invalid path: a/..'],
    ['\0{{\0}}', 1, 1, 'unexpected \\u0000: the text of a template must not contain NUL'],
    ['a\n{{#if x}}\0{{/if', 2, 10, 'unexpected \\u0000: the text of a template must not contain NUL'],
    ['a {{{{raw}}}} b {{c', 1, 3, 'the raw block is not closed: {{{{/raw}}}} is missing'],
    ['{{a b c=}}', 1, 9, 'unexpected }}, expected a name or a value'],
    ['a{{/if}}', 1, 2, 'unexpected {{/ without an open block'],
    ['aa\nbb {{else}}', 2, 4, 'unexpected {{else}} without an open block'],
    ['{{foo bar="}}', 1, 11, 'unexpected ": the string is not closed'],
    ['{{{a}}', 1, 5, 'unexpected }}: {{{ is closed by }}}'],
  ]
  for (const [source, line, column, problem] of cases) {
    const failure = failureOf(() => checkTemplate(source, 'footer_html'))
    const excerpt = source.split('\n')[line - 1]?.trim()
    t.match(
      failure,
      { code: 'TEMPLATE_SYNTAX_ERROR', details: { line, column, source: 'footer_html', excerpt } },
      JSON.stringify(source),
    )
    const message = `footer_html, line ${line}, column ${column}: ${problem}`
    t.equal(failure?.message.slice(0, message.length), message)
    t.notMatch(failure?.message, /\n|--\^|Expecting/)
  }
})

t.test('the syntax of other languages is answered with the one of Handlebars', async (t) => {
  const cases: [source: string, problem: string][] = [
    ['{{#each items as item}}{{/each}}', 'each takes 1 argument, not 3: write {{#each items as |item|}}'],
    ['{{#each item in items}}{{/each}}', 'each takes 1 argument, not 3: write {{#each items as |item|}}'],
    ['{{#each items as |item}}{{/each}}', 'unexpected }}: a | is missing after the names'],
    ['{{#if a eq b}}{{/if}}', 'if takes 1 argument, not 3: write {{#if (eq a b)}}'],
    ['{{#unless a is b}}{{/unless}}', 'unless takes 1 argument, not 3: write {{#unless (eq a b)}}'],
    [
      '{{formatCurrency(total)}}',
      'unexpected formatCurrency(: helpers are not called like functions, write {{formatCurrency total}}',
    ],
    [
      '{{formatDate(date, "long")}}',
      'unexpected formatDate(: helpers are not called like functions, write {{formatDate date "long"}}',
    ],
    ['{{#if eq(a, b)}}{{/if}}', 'unexpected eq(: helpers are not called like functions, write (eq a b)'],
    ['{{name}}}', 'unexpected }}}: it closes {{{, and {{ is closed by }}'],
    ['{{price*1.2}}', 'unexpected *: there are no operators, write (multiply a b)'],
    ['{{a - b}}', 'unexpected -: there are no operators, write (subtract a b)'],
    ['{{a ? b : c}}', 'unexpected ?: there are no operators, write {{#if a}}b{{else}}c{{/if}}'],
    ['{{a ?? b}}', 'unexpected ??: there are no operators, write (default a b)'],
    ['{{a = b}}', 'unexpected =: there are no operators, write (eq a b)'],
    ['{{customer name}}', 'there is no helper "customer"; the field of an object is written customer.name'],
    ['{{..name}}', 'unexpected name after ..: write ../name'],
    ['{{name.}}', 'unexpected . after name'],
    ['{{a..b}}', 'unexpected .. after a'],
  ]
  for (const [source, problem] of cases) {
    const message = failureOf(() => checkTemplate(source, 'html'))?.message ?? ''
    t.equal(message.replace(/^html, line 1, column \d+: /, ''), problem, source)
  }
})

t.test('of a long line the error has the part around the problem', async (t) => {
  const failure = failureOf(() => checkTemplate(`${'a'.repeat(500)}{{items[0]}}${'b'.repeat(500)}`, 'html'))
  t.match(failure?.details, { excerpt: /^…a{1,60}\{\{items\[0\]\}\}b{1,60}…$/ })
})

t.test('an unknown helper is answered with the one that was probably meant', async (t) => {
  const cases: [source: string, meant: string][] = [
    ['{{formatcurency 1}}', 'formatCurrency'],
    ['{{format_date date}}', 'formatDate'],
    ['{{#foreach items}}{{/foreach}}', 'each'],
    ['{{#repaet 2}}{{/repaet}}', 'repeat'],
    ['{{currency 1}}', 'formatCurrency'],
    ['{{#if (equal a b)}}{{/if}}', '(eq a b)'],
    ['{{#If a}}{{/If}}', 'if'],
    ['{{#ifCond a "==" b}}{{/ifCond}}', '(eq a b)'],
    ['{{#if a}}{{elseif b}}{{/if}}', '{{else if …}}'],
    ['{{#for item in items}}{{/for}}', '{{#each items as |item|}}'],
    ['{{plus a 1}}', 'add'],
    ['{{minus a 1}}', 'subtract'],
    ['{{math a "+" 1}}', 'add, subtract, multiply or divide'],
    ['{{length items}}', 'count'],
    ['{{toFixed a 2}}', 'formatNumber value decimals=2'],
    ['{{moment date}}', 'formatDate'],
    ['{{qr url}}', 'qrcode'],
    ['{{upper name}}', 'uppercase'],
    ['{{transmogrify a}}', ''],
  ]
  for (const [source, meant] of cases) {
    const message = failureOf(() => checkTemplate(source, 'html'))?.message
    t.match(
      message,
      meant === '' ? /there is no helper "\w+"; the field of an object is written \w+\.a$/ : `; did you mean ${meant}?`,
      source,
    )
  }
})

t.test('an error of a helper names its line, column, expression and item', async (t) => {
  const source =
    '<table>\n{{#each items}}\n  <td>{{name}}</td><td>{{formatCurrency price "EUR"}}</td>\n{{/each}}</table>'
  const failure = failureOf(() => render(source, { items: [{ price: 1 }, { price: 'abc' }] }))
  const expression = '{{formatCurrency price "EUR"}}'
  t.match(failure, {
    code: 'TEMPLATE_RENDER_ERROR',
    message: `html, line 3, column 24: formatCurrency: "abc" is not a number, in ${expression} at @index 1`,
    details: { source: 'html', line: 3, column: 24, helper: 'formatCurrency', expression, excerpt: /^<td>\{\{name/ },
  })
  const cases: [source: string, message: string][] = [
    ['{{uppercase (add 1 (multiply x 2))}}', 'column 20: multiply: "a" is not a number, in (multiply x 2)'],
    ['{{#repeat x}}{{y}}{{/repeat}}', 'column 1: repeat: "a" is not a number, in {{#repeat x}}'],
    ['{{#repeat 2}}{{abs x}}{{/repeat}}', 'column 14: abs: "a" is not a number, in {{abs x}}'],
    ['{{#each o}}{{abs this}}{{/each}}', 'column 12: abs: "b" is not a number, in {{abs this}} at @key z'],
    ['{{#*inline "p"}}{{abs x}}{{/inline}}{{> p}}', 'column 17: abs: "a" is not a number, in {{abs x}}'],
  ]
  for (const [source, message] of cases) {
    t.match(
      failureOf(() => render(source, { x: 'a', o: { y: 1, z: 'b' } })),
      { message: `html, line 1, ${message}` },
      source,
    )
  }
})

t.test('unknown names and wrong arguments are refused before the template runs', async (t) => {
  const refused: [source: string, column: number, problem: RegExp][] = [
    ['{{foo bar}}', 1, /there is no helper "foo"(;|$)/],
    ['a {{foo.bar baz}}', 3, /there is no helper "foo\.bar"(;|$)/],
    ['{{lookup.x 1 2}}', 1, /there is no helper "lookup\.x"; did you mean lookup\?$/],
    ['{{#foo bar}}{{/foo}}', 1, /there is no helper "foo"(;|$)/],
    ['{{#if (foo)}}{{/if}}', 7, /there is no helper "foo"(;|$)/],
    ['{{foo a=1}}', 1, /there is no helper "foo"(;|$)/],
    ['{{"foo" bar}}', 1, /there is no helper "foo"(;|$)/],
    ['{{constructor "x"}}{{toString 1}}', 1, /there is no helper "constructor"$/],
    ['{{log "x"}}', 1, /there is no helper "log"$/],
    ['{{helperMissing "x"}}', 1, /there is no helper "helperMissing"$/],
    ['{{{{raw}}}} x {{{{/raw}}}}{{bar 1}}', 27, /there is no helper "bar"/],
    ['{{{{foo}}}} x {{{{/foo}}}}', 1, /there is no raw block "foo"/],
    ['{{formatCurrency 1 2 3}}', 1, /formatCurrency takes 1 to 2 arguments, not 3$/],
    ['{{#each}}{{/each}}', 1, /each takes 1 argument, not 0$/],
    [
      '{{formatNumber 1 decimal=2}}',
      1,
      /formatNumber has no argument decimal=; its named arguments are: decimals=, locale=$/,
    ],
    ['{{if a}}', 1, /if is a block helper/],
    ['{{> (lookup . "x")}}', 1, /the name is computed: it can only be one of a partial that the source also calls/],
    ['{{> a b c}}{{#*inline "a"}}{{/inline}}', 1, /takes at most one context/],
    ['{{* foo}}', 1, /unknown decorator "foo"$/],
    ['{{#*foo "a"}}{{/foo}}', 1, /the only decorator block is \{\{#\*inline "name"\}\}/],
  ]
  for (const [source, column, problem] of refused) {
    for (const work of [() => checkTemplate(source, 'html'), () => render(source)]) {
      const failure = failureOf(work)
      t.match(failure, { code: 'TEMPLATE_RENDER_ERROR', details: { line: 1, column, source: 'html' } }, source)
      t.match(failure?.message, problem)
    }
  }
})

t.test('templates support the features of Handlebars', async (t) => {
  t.equal(
    render('{{#*inline "p"}}[{{a}}{{b}}]{{/inline}}{{> p b="x"}}{{> (lookup . "which")}}', { a: 1, which: 'p' }),
    '[1x][1]',
  )
  t.equal(render('{{> p}}{{#*inline "p"}}in{{/inline}}'), 'in')
  t.equal(render('{{#> none}}fallback{{/none}}'), 'fallback')
  t.equal(render('{{#*inline "p"}}<{{> @partial-block}}>{{/inline}}{{#> p}}x{{/p}}'), '<x>')
  t.equal(
    render('{{#each a}}{{@index}}{{@key}}{{this}}{{#unless @last}},{{/unless}}{{else}}none{{/each}}', {
      a: ['x', 'y'],
    }),
    '00x,11y',
  )
  t.equal(render('{{#with a as |b|}}{{b.c}}{{../d}}{{@root.d}}{{/with}}', { a: { c: 1 }, d: 2 }), '122')
  t.equal(
    render('{{#list}}{{.}}{{/list}}{{^list}}no{{/list}}{{#if z includeZero=true}}0{{/if}}', { list: [1, 2], z: 0 }),
    '120',
  )
  t.equal(render('\\{{a}} {{{{if a}}}}{{b}}{{{{/if}}}} {{!-- c --}}{{a~}} x', { a: 1 }), '{{a}} {{b}} 1x')
  t.equal(render('{{a.b.c}}{{missing.x.y}}[{{n}}]', { a: { b: null }, n: null }), '[]')
  t.equal(render('žluťoučký {{a}} 👩‍👩‍👧 {{[ключ]}}', { a: '<ň>', ключ: 'да' }), 'žluťoučký &lt;ň&gt; 👩‍👩‍👧 да')
  t.throws(() => render('{{> (lookup . "which")}}', { which: 'none' }), {
    message: /the name is computed/,
  })
  const computed = '{{#*inline "p"}}{{/inline}}{{> (lookup . "which")}}'
  t.throws(() => render(computed, { which: 'none' }), {
    message: /html, line 1, column 28: there is no partial "none"/,
  })
})

t.test('templates cannot reach prototypes', async (t) => {
  const polluting: JsonObject = JSON.parse(
    '{"__proto__": {"polluted": "yes"}, "constructor": {"prototype": {"polluted": "yes"}}, "a": {}}',
  )
  const source =
    '{{polluted}}{{a.polluted}}{{__proto__}}{{a.__proto__.polluted}}{{a.constructor}}{{a.constructor.name}}{{a.toString}}' +
    '{{#with a as |b|}}{{b.__proto__}}{{lookup b "__proto__"}}{{lookup b "constructor"}}{{/with}}' +
    '{{#*inline "p"}}{{polluted}}{{/inline}}{{> p __proto__=this}}{{> p a constructor=1}}{{#each "x"}}{{constructor}}{{/each}}'
  const given = render(source, polluting)
  t.equal(given.replace('[object Object]', ''), '')
  t.equal(
    render('{{constructor}}{{__proto__}}{{toString}}{{hasOwnProperty}}{{__defineGetter__}}{{a.length}}', { a: {} }),
    '',
  )
  t.equal(Reflect.get({}, 'polluted'), undefined)
  t.equal(render('{{valueAt}}{{sum items "__proto__.x"}}', { items: [{}] }), '0')
  t.throws(() => render('{{#with "a"}}{{lookup this "constructor"}}{{constructor "return 1"}}{{/with}}'), {
    code: 'TEMPLATE_RENDER_ERROR',
  })
  for (const name of ['toString', 'toHTML', 'valueOf']) {
    const failure = failureOf(() => render('{{a}}', { a: { [name]: 'x' } }))
    t.ok(failure === undefined || failure.code === 'TEMPLATE_RENDER_ERROR', name)
  }
})

t.test('no payload of an advisory of Handlebars runs code, reaches a prototype or prints markup', async (t) => {
  const run = 'globalThis.platenReached = true'
  /** Data that have the form of a parsed template, whose depth would break out of the generated code. */
  const parsed = { path: { type: 'PathExpression', parts: ['pop'], original: 'this.pop', depth: `0])),${run}));//` } }
  const tree = { call: true, type: 'Program', body: [{ type: 'MustacheStatement', depth: 0, ...parsed }] }
  const refused = 'TEMPLATE_RENDER_ERROR'
  const split = '{{#with "s" as |string|}}{{#with split as |list|}}{{this.push (lookup string.sub "constructor")}}'
  const applied = `{{#with (string.sub.apply 0 list)}}{{this}}{{/with}}{{/with}}{{/with}}`
  const chars = `{{#with split as |a|}}{{pop (push "${run}")}}{{#with (concat (lookup join (slice 0 1)))}}`
  const each = '{{#each (slice 2 3)}}{{#with (apply 0 a)}}{{.}}{{/with}}{{/each}}{{/with}}{{/with}}'
  const block = (inside: string) => `{{#*inline "p"}}{{> @partial-block}}{{/inline}}{{#> p}}${inside}{{/p}}`
  const own =
    '{{#with (lookup @_parent "partial-block") as |f|}}{{lookup f "constructor"}}{{f.prototype.constructor}}{{/with}}'
  const rows: [advisory: string, source: string, data: JsonObject, result: string][] = [
    ['GHSA-9prh-257w-9277', '<a href={{a}}>', { a: 'x`=' }, '<a href=x&#x60;&#x3D;>'],
    ['GHSA-q42p-pg8m-cqh6', split + applied, {}, refused],
    ['GHSA-w457-6q6x-cgp9', '{{#with (__lookupGetter__ "__proto__")}}{{call}}{{/with}}', {}, refused],
    ['GHSA-w457-6q6x-cgp9', '{{__defineGetter__ "undefined" valueOf}}', {}, refused],
    ['GHSA-f52g-6jhx-586p', '{{{{a}}}}'.repeat(1_000), {}, 'TEMPLATE_SYNTAX_ERROR'],
    ['GHSA-62gr-4qp9-h98f', '{{{{raw}}}}{{{{raw}}}}', {}, 'TEMPLATE_SYNTAX_ERROR'],
    ['GHSA-2cf5-4w76-r9qv', '{{#with (lookup a "constructor")}}{{lookup this "name"}}{{/with}}', { a: {} }, ''],
    ['GHSA-3cqr-58rm-57f8', '{{lookup a (lookup b 0)}}', { a: {}, b: [['constructor']] }, ''],
    ['GHSA-g9r4-xpmj-mj65', '{{#blockHelperMissing a}}x{{/blockHelperMissing}}', { a: 1 }, refused],
    ['GHSA-q2c6-c6pm-g3gh', chars + each, {}, refused],
    ['GHSA-f2jv-r9rf-7988', '{{lookup (lookup a "__proto__") "constructor"}}', { a: {} }, ''],
    ['GHSA-765h-qjxv-5f44', `{{["+(${run})+"]}}{{a.["+(${run})+"]}}`, { a: {} }, ''],
    ['GHSA-2w6w-674q-4c4q', '{{lookup this v}}', { v: { type: 'NumberLiteral', value: `{},{})) + (${run}) //` } }, ''],
    ['GHSA-3mfm-83xf-c92r', block('{{merge @_parent partial-block=tree}}'), { tree }, refused],
    ['GHSA-xhpv-hc6g-r9c6', '{{#*inline "p"}}{{/inline}}{{> (lookup . "tree")}}', { tree }, refused],
    ['GHSA-9cx6-37pm-9jff', '{{*n}}', {}, refused],
    ['GHSA-9cx6-37pm-9jff', '{{*constructor}}', {}, refused],
    ['GHSA-2qvq-rjwj-gvw9', '{{> toString}}', {}, refused],
    ['GHSA-2qvq-rjwj-gvw9', '{{> __proto__}}', {}, refused],
    ['GHSA-7rx3-28cr-v5wh', '{{a.__lookupSetter__}}{{lookup a "__lookupSetter__"}}', { a: {} }, ''],
    ['GHSA-442j-39wm-28r2', '{{#with a}}{{b}}{{constructor}}{{/with}}', { a: {}, b: 'x' }, ''],
    [
      'GHSA-8r5x-fm3f-whwj',
      '{{#each a as |x|}}{{x}}{{/each}}',
      { a: { length: `(${run},0)` } },
      `(${run.replace('=', '&#x3D;')},0)`,
    ],
    ['GHSA-p8wg-vrv2-v86f', block(own), {}, ''],
  ]
  for (const [advisory, source, data, result] of rows) {
    let text: string | undefined
    const failure = failureOf(() => {
      text = render(source, data)
    })
    t.equal(failure?.code ?? text, result, `${advisory} ${source.slice(0, 100)}`)
  }
  t.equal(Reflect.get(globalThis, 'platenReached'), undefined)
})

t.test('the output is limited', async (t) => {
  const half = 'x'.repeat(maxRenderedBytes / 2)
  t.equal(render('{{a}}{{a}}', { a: half }).length, maxRenderedBytes)
  const tooLarge = {
    code: 'RENDER_LIMIT_EXCEEDED',
    message: 'html: the HTML of the filled template is larger than 16 MiB',
  }
  t.match(
    failureOf(() => render('{{a}}{{a}}!', { a: half })),
    tooLarge,
  )
  t.match(
    failureOf(() => render('{{a}}', { a: 'ň'.repeat(maxRenderedBytes / 2 + 1) })),
    tooLarge,
    'in bytes',
  )
  t.match(
    failureOf(() => render('{{#repeat 10000}}{{#repeat 10000}}{{@index}}{{/repeat}}{{/repeat}}')),
    tooLarge,
  )
  t.match(
    failureOf(() =>
      render('{{#each l}}{{#each ../l}}{{@root.a}}{{/each}}{{/each}}', { l: Array(500).fill(1), a: 'x'.repeat(99) }),
    ),
    tooLarge,
  )
  t.match(
    failureOf(() => render('{{{a}}}'.repeat(5_000), { a: half })),
    tooLarge,
  )
  const doubling = '{{#with (concat a a) as |a|}}'.repeat(60)
  t.match(
    failureOf(() => render(`${doubling}{{uppercase a}}${'{{/with}}'.repeat(60)}`, { a: 'x' })),
    tooLarge,
  )
})

t.test('a loop ends as soon as its output is too large', async (t) => {
  let filled = 0
  const item = {
    get text() {
      filled += 1
      return 'x'.repeat(maxRenderedBytes / 4)
    },
  }
  const failure = failureOf(() => render('{{#each items}}{{text}}{{/each}}', { items: Array(1_000).fill(item) }))
  t.match(failure, { code: 'RENDER_LIMIT_EXCEEDED' })
  t.ok(filled < 100, `${filled} of its texts were read`)
})

t.test('an intermediate string has the same limit', async (t) => {
  const failure = failureOf(() => render('{{#if (concat a a)}}x{{/if}}', { a: 'x'.repeat(maxRenderedBytes / 2 + 1) }))
  t.match(failure, { code: 'RENDER_LIMIT_EXCEEDED' })
})

t.test('the nesting depth is limited', async (t) => {
  const tooComplex = { code: 'TEMPLATE_TOO_COMPLEX', message: 'html: the template is nested too deeply' }
  t.match(
    failureOf(() => render('{{#*inline "p"}}{{> p}}{{/inline}}{{> p}}')),
    tooComplex,
  )
  t.match(
    failureOf(() => checkTemplate('{{#if a}}'.repeat(10_000), 'html')),
    { code: 'TEMPLATE_TOO_COMPLEX' },
  )
})
