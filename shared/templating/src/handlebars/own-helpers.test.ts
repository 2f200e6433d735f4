import type { JsonObject } from '@platen/foundation/json/json.ts'
import t from 'tap'
import { openTemplateEngine } from './engine.ts'

// What a template's own helpers can do, and what they cannot.

const engine = openTemplateEngine({ workers: 1, ownHelpers: true })
t.teardown(() => engine.close())

const now = new Date('2026-01-31T12:00:00Z')

async function filled(helpers: string, html: string, data: JsonObject = {}): Promise<string> {
  const { texts } = await engine.render({ sources: { html }, data, helpers, now })
  return texts.html ?? ''
}

t.test('exported functions are helpers', async (t) => {
  const script = `
    const rate = 19
    export const vat = (net) => net * rate / 100
    export function initials({ first, last }) { return first[0] + last[0] }
    export const badge = (text) => new Handlebars.SafeString('<b>' + Handlebars.escapeExpression(text) + '</b>')
    export const shown = (a, b, options) => [a, b === undefined, options.hash.c, options.data.locale].join(' ')
    export const evens = (list) => list.filter((n) => n % 2 === 0)
    export const place = (options) => options.data.index + 1
    export const today = () => new Date().toISOString() + ' ' + Date.now() + ' ' + (new Date(0)).getTime()
    function hidden() {}`
  const data = { person: { first: 'Ada', last: 'Lovelace' }, n: 200, list: [1, 2, 3, 4], html: '<i>' }
  const cases = {
    '{{vat n}}': '38',
    '{{formatNumber (vat n) decimals=2}}': '38.00',
    '{{initials person}}': 'AL',
    '{{badge html}}|{{{badge html}}}': '<b>&lt;i&gt;</b>|<b>&lt;i&gt;</b>',
    '{{evens list}}': '2,4',
    '{{#each (evens list)}}{{place}}:{{this}} {{/each}}': '1:2 2:4 ',
    '{{#if (vat n)}}yes{{/if}}': 'yes',
    '{{shown n missing c=list.[0]}}': '200 true 1 en-US',
    '{{today}}': `2026-01-31T12:00:00.000Z ${now.getTime()} 0`,
    '{{shown (badge "x") 1 c=(badge "y")}}': '&lt;b&gt;x&lt;/b&gt; false &lt;b&gt;y&lt;/b&gt; en-US',
  }
  for (const [html, printed] of Object.entries(cases)) t.equal(await filled(script, html, data), printed, html)
})

t.test('they are known when a template is checked, and only to it', async (t) => {
  const helpers = 'export const vat = (net) => net'
  await engine.check('{{vat 1}}{{#if (vat 2)}}{{/if}}', { helpers })
  const refused = { code: 'TEMPLATE_RENDER_ERROR' }
  await t.rejects(engine.check('{{vat 1}}'), refused)
  await t.rejects(engine.check('{{vatt 1}}', { helpers }), { ...refused, message: /did you mean vat\?/ })
  await t.rejects(engine.check('{{#vat 1}}{{/vat}}', { helpers }), { ...refused, message: /not a block helper/ })
  t.equal(await filled(helpers, '{{vat 1}}'), '1')
  await t.rejects(engine.render({ sources: { html: '{{vat 1}}' }, data: {} }), refused)
})

t.test('a script that cannot be used is refused with its place', async (t) => {
  const cases: [string, object][] = [
    [
      'export const a = (x => ;',
      { code: 'TEMPLATE_SYNTAX_ERROR', details: { source: 'helpers', line: 1, column: 24 } },
    ],
    [
      '\n\nexport const a = nope.b',
      { code: 'TEMPLATE_SYNTAX_ERROR', details: { line: 3 }, message: /'nope' is not defined/ },
    ],
    ['import fs from "node:fs"; export const a = fs', { message: /could not load module/ }],
    ['export const a = await 1', { message: /await/ }],
    ['export default () => 1', { message: /export default/ }],
    ['export const a = 1', { message: /the export a is not a function/ }],
    ['const a = 1', { message: /nothing is exported/ }],
    ['export const each = () => 1', { message: /there is a helper each already/ }],
    ['export const blockHelperMissing = () => 1', { message: /a meaning of its own/ }],
    ['const f = () => 1; export { f as else }', { message: /a meaning of its own/ }],
    ['export const sum = () => 1', { message: /there is a helper sum already/ }],
    ['const f = () => 1; export { f as "a b" }', { message: /other characters/ }],
    ['throw "no"', { message: /it has thrown string/ }],
    ['throw { get message() { while (true); } }', { message: /./ }],
    ['while (true);', { code: 'TEMPLATE_TOO_COMPLEX', message: /longer than 1000 ms/ }],
    [Array.from({ length: 101 }, (_, i) => `export const f${i} = () => 1`).join('\n'), { message: /at most 100/ }],
  ]
  for (const [script, error] of cases) {
    const found: { message: string } = await engine.check('x', { helpers: script }).then(
      () => t.fail(script),
      (err) => err,
    )
    t.match(found, error, script.slice(0, 60))
    t.match(found.message, /^helpers[,:]/)
  }
})

t.test('what a helper throws is told with both places', async (t) => {
  const script = '\nexport const age = (person) => {\n  return person.born.year\n}'
  const failed = engine.render({ sources: { html: 'a\n{{age person}}' }, data: { person: {} }, helpers: script })
  await t.rejects(failed, {
    code: 'TEMPLATE_RENDER_ERROR',
    message:
      /^html, line 2, column 1: age: cannot read property 'year' of undefined \(helpers, line 3, column \d+\), in \{\{age person\}\}$/,
  })
})

// Each is a helper that tries to leave the sandbox. Its output shows whether it succeeded; an error is fine.
const attempts: Record<string, string> = {
  'the global objects of Node.js':
    '[typeof process, typeof require, typeof global, typeof Buffer, typeof fetch].join()',
  'the objects of a thread':
    '[typeof self, typeof parentPort, typeof Worker, typeof WebAssembly, typeof navigator].join()',
  'timers and the console':
    '[typeof setTimeout, typeof setImmediate, typeof queueMicrotask, typeof console, typeof performance].join()',
  'the constructor of a constructor': 'typeof (() => {}).constructor.constructor("return typeof process")()',
  'Function of an argument': 'args.constructor.constructor("return typeof process + typeof require")()',
  'indirect eval': '(0, eval)("typeof process + typeof require")',
  'a dynamic import': 'import("node:fs") instanceof Promise ? "undefined" : "out"',
  'this of a sloppy function': 'Function("return typeof this.process + typeof this.Deno")()',
  'the caller':
    '(function f() { try { return String(f.caller === null || f.caller === undefined) } catch (e) { return "true" } })()',
  'the modules of QuickJS': '[typeof std, typeof os, typeof bjson].join()',
  'SharedArrayBuffer and Atomics':
    'typeof SharedArrayBuffer === "undefined" ? "undefined" : String(new SharedArrayBuffer(8).byteLength)',
}
t.test('a script reaches nothing of the host', async (t) => {
  for (const [name, expression] of Object.entries(attempts)) {
    const script = `export function get(...args) { return ${expression} }`
    const printed = await filled(script, '{{get 1}}').catch(String)
    t.match(printed, /^((undefined|true|8|string),?)+$|is not|not defined|could not load/, `${name}: ${printed}`)
  }
})

t.test('nothing that a script returns reaches the prototypes of the host', async (t) => {
  const returned = [
    'JSON.parse(\'{"__proto__": {"polluted": "yes"}}\')',
    'Object.defineProperty({}, "__proto__", { value: { polluted: "yes" }, enumerable: true })',
    '({ constructor: { prototype: { polluted: "yes" } } })',
    '({ toJSON() { return { toString: "x", valueOf: 1, toHTML: "<b>" } } })',
    'new Proxy({}, { get: () => "yes", ownKeys: () => ["a"], getOwnPropertyDescriptor: () => ({ value: 1, enumerable: true, configurable: true }) })',
    'Object.create(null)',
    '({ then: 1, html: "<b>" })',
    '[[[]], { length: 1e9 }]',
  ]
  for (const expression of returned) {
    const script = `export const get = () => (${expression})`
    const html = '{{#with (get)}}{{polluted}}{{__proto__.polluted}}{{/with}}|{{json (get)}}'
    const printed = await filled(script, html).catch(String)
    t.notMatch(printed.split('|')[0] ?? '', /yes$/, `${expression}: ${printed}`)
  }
  t.equal(({} as Record<string, unknown>).polluted, undefined)
  t.equal(await filled('export const x = () => 1', '{{polluted}}', {}), '')
})

t.test('a script that changes its own JSON, prototypes and errors harms itself only', async (t) => {
  const scripts = [
    'JSON.stringify = () => "}{"; JSON.parse = () => null; export const get = () => 1',
    'Object.prototype.toJSON = () => "<script>"; export const get = () => ({ a: 1 })',
    'Array.prototype[Symbol.iterator] = function* () { while (true) yield 1 }; export const get = () => 1',
    'Object.defineProperty(Object.prototype, "html", { get: () => "<script>", set() {} }); export const get = () => 1',
    'String.prototype.toString = () => { throw 1 }; export const get = () => 1',
    'Object.defineProperty(Handlebars.SafeString, Symbol.hasInstance, { value: () => true }); export const get = () => 1',
    'Error.prepareStackTrace = () => ({ toString() { while (true); } }); export const get = () => null.x',
  ]
  for (const script of scripts) {
    const printed = await filled(script, '{{get}}').catch(String)
    t.notMatch(printed, /<script>/, `${script}: ${printed}`)
  }
  t.equal(await filled('export const get = () => [1, 2].map((n) => n + 1)', '{{get}}'), '2,3', 'the next document')
})

t.test('a script that needs too much ends, and the next document is filled', async (t) => {
  const scripts = {
    'an endless loop': 'while (true);',
    'an endless loop that catches': 'for (;;) try { for (;;); } catch {}',
    'an endless loop in finally': 'try { for (;;); } finally { for (;;); }',
    'an endless generator': 'for (const n of (function* () { for (;;) yield 1 })());',
    'a slow regular expression': '/^(a+)+$/.test("a".repeat(40) + "b")',
    'an endless list': 'const list = []; for (;;) list.push("x".repeat(1000) + list.length)',
    'a doubling string': 'let s = "x"; for (;;) s += s + s.length',
    'a large buffer': 'new ArrayBuffer(2 ** 31)',
    'many buffers': 'const all = []; for (;;) all.push(new Uint8Array(1e6).fill(1))',
    recursion: 'return (function f(n) { return f(n + 1) + 1 })(0)',
    'recursion by JSON': 'let o = {}; for (let i = 0; i < 2e4; i++) o = { o }; return o',
    'recursion by a getter': 'return JSON.stringify({ get a() { return JSON.stringify(this) } })',
    'recursion by sort': 'return [2, 1].sort(function f() { return [2, 1].sort(f) })',
    'a loop in a built-in function': 'return Array.prototype.join.call({ length: 2 ** 53 - 1 })',
    'a search in an empty list': 'return Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)',
    'a large result': 'return "x".repeat(2e6)',
    'a thrown list': 'const l = []; l.length = 1e7; throw l.fill(1)',
    'an endless exception': 'throw { get message() { for (;;); } }',
    'a promise': 'return Promise.resolve(1)',
    'a thenable': 'return { then() {} }',
    'a function': 'return () => 1',
    'a symbol': 'return Symbol()',
    'a bigint': 'return 1n',
    'a circle': 'const o = {}; o.o = o; return o',
    random: 'return Math.random()',
  }
  for (const [name, body] of Object.entries(scripts)) {
    const failed = filled(`export function get() { ${body} }`, '{{get}}')
    await t.rejects(failed, { code: /^TEMPLATE_(TOO_COMPLEX|RENDER_ERROR)$/ }, name)
    t.equal(await filled('export const get = () => 1', '{{get}}'), '1', `after ${name}`)
  }
})

t.test('nothing stays from one document to the next', async (t) => {
  const script = `
    globalThis.count ??= 0
    Array.prototype.seen ??= 0
    export const get = () => [++globalThis.count, ++Array.prototype.seen].join()`
  t.equal(await filled(script, '{{get}} {{get}}'), '1,1 2,2')
  t.equal(await filled(script, '{{get}}'), '1,1')
})

t.test('all calls of a document share its time', async (t) => {
  const script = 'export const wait = () => { const until = 3e6; let n = 0; while (n < until) n++; return "" }'
  const data = { list: Array.from({ length: 1_000 }, (_, index) => index) }
  await t.rejects(filled(script, '{{#each list}}{{wait}}{{/each}}', data), {
    code: 'TEMPLATE_TOO_COMPLEX',
    message: /took longer than 1000 ms in one document/,
  })
})

t.test('they are off unless a deployment allows them', async (t) => {
  await using without = openTemplateEngine({ workers: 1 })
  const off = { code: 'TEMPLATE_RENDER_ERROR', message: /OWN_HELPERS=on/ }
  const helpers = 'export const a = () => 1'
  await t.rejects(without.check('{{a}}', { helpers }), off)
  await t.rejects(without.render({ sources: { html: '{{a}}' }, data: {}, helpers }), off)
})
