import Handlebars from 'handlebars'
import t from 'tap'
import { checkComplexity, scan } from './scan.ts'

t.test('it counts mustaches and nesting like Handlebars', async (t) => {
  const counts: [source: string, mustaches: number, nesting: number][] = [
    ['', 0, 0],
    ['a { b } {c}', 0, 0],
    ['{{a}} {{{b}}} {{&c}} {{~d~}}', 4, 0],
    ['{{#if a}}x{{else}}y{{/if}}', 3, 1],
    ['{{^a}}x{{^}}y{{/a}}', 3, 1],
    ['{{^a}}x{{~^ ~}}y{{/a}}', 3, 1],
    ['{{#a}}{{#b}}{{^c}}{{/c}}{{/b}}{{/a}}{{#d}}{{/d}}', 8, 3],
    ['{{#*inline "p"}}x{{/inline}}{{> p}}{{#> q}}{{/q}}', 5, 1],
    ['{{!-- {{a}} }} {{#b}} --}}{{! {{c}}{{d}}', 1, 0],
    ['{{~!-- {{a}} --~}}', 0, 0],
    ['{{!-- a -- b ---}}{{c}}', 1, 0],
    ['{{!--}}{{a}}{{!---}}{{b}}', 2, 0],
    ['{{a "\\"}}{{b}}', 2, 0],
    ['{{a "\\"}}"}}{{b}}', 2, 0],
    ['\\{{a}} \\\\{{b}} \\{{#c}}{{d}}', 2, 0],
    ['{{a "}}{{b}}"}} {{[x}}{{y]}} {{c \'}}\'}}', 3, 0],
    ['{{{{raw}}}} {{a}} {{{{raw}}}} {{b}} {{{{/raw}}}} {{{{/raw}}}}{{c}}', 2, 1],
    ['ž {{a}} 😀 {{b}}', 2, 0],
  ]
  for (const [source, mustaches, nesting] of counts) t.match(scan(source), { mustaches, nesting }, source)
})

t.test('it counts branches, the parts of paths and nested expressions', async (t) => {
  const counts: [source: string, branches: number, path: number, parentheses: number][] = [
    ['{{a}} {{/if}}', 0, 0, 0],
    ['{{#if a}}{{else if b}}{{~ else }}{{/if}}{{#if c}}{{else}}{{/if}}', 3, 0, 0],
    ['{{a.b.c}} {{../../d}} {{f x.y z=u.v.w.x}}', 0, 4, 0],
    ['{{f "a.b.c.d" [e.f.g].h}}', 0, 2, 0],
    ['{{f (g (h a.b)) (i c)}} {{#if (j d)}}', 0, 2, 2],
  ]
  for (const [source, branches, path, parentheses] of counts) {
    t.match(scan(source), { branches, path, parentheses }, source)
  }
})

t.test('what takes Handlebars seconds is refused', async (t) => {
  const sources = {
    nesting: [101, `${'{{#a}}'.repeat(101)}${'{{/a}}'.repeat(101)}`],
    branches: [501, `{{#if a}}${'{{else if a}}'.repeat(500)}{{/if}}`],
    path: [101, `{{${'a.'.repeat(100)}a}}`],
    parentheses: [101, `{{concat ${'(concat '.repeat(101)}a${')'.repeat(101)}}}`],
  } as const
  for (const [name, [count, source]] of Object.entries(sources)) {
    t.throws(() => checkComplexity(source), { code: 'TEMPLATE_TOO_COMPLEX', details: { [name]: count } }, name)
  }
})

t.test('it finds as many mustaches as the parser', async (t) => {
  const sources = [
    '{{a}}\\{{no}}{{b "}}"}}{{! no }}{{c}}\\\\{{d}}{{!-- {{no}} --}}{{[e}}]}}',
    '{{!--}}{{a}}{{!---}}{{b}}{{!-}}{{c}}',
    '{{a "\\"}}{{b}}',
    '{{a "\\"}}"}}{{b}}',
    "{{a '\\'}}'}}{{b}}{{{c}}}",
  ]
  for (const source of sources) {
    const parsed = Handlebars.parse(source).body.filter(({ type }) => type === 'MustacheStatement')
    t.equal(scan(source).mustaches, parsed.length, source)
  }
})

t.test('it finds the block that is not closed', async (t) => {
  t.equal(scan('{{#if a}}{{#each b}}x{{/each}}').unclosedBlock, 0)
  t.equal(scan('{{#if a}}{{#each b}}x{{/if}}').unclosedBlock, 0)
  t.equal(scan('{{#if a}}{{/if}}').unclosedBlock, undefined)
  t.equal(scan('a {{! b').unclosedComment, 2)
  t.equal(scan('a {{!-- b }}').unclosedComment, 2)
  t.equal(scan('a {{! b }}{{!-- c --}}').unclosedComment, undefined)
})

t.test('templates over the limits are refused', async (t) => {
  checkComplexity('{{a}}'.repeat(5_000))
  checkComplexity(nested(100))
  t.throws(() => checkComplexity('{{a}}'.repeat(5_001)), {
    code: 'TEMPLATE_TOO_COMPLEX',
    message: 'the template has 5001 mustaches; at most 5000 are allowed',
  })
  t.throws(() => checkComplexity(nested(101)), {
    code: 'TEMPLATE_TOO_COMPLEX',
    message: 'the template nests blocks 101 deep; at most 100 are allowed',
  })
})

const nested = (depth: number) => '{{#if a}}'.repeat(depth) + '{{/if}}'.repeat(depth)
